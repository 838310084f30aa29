//! The keys from the root to the node being searched.
//!
//! Whether a position stands on the path is asked of every child that is listed, and nearly always it does not. So the
//! path counts how many of its keys end in each byte: where there is none, no key is compared.

/// The path.
#[derive(Debug)]
pub(super) struct Path {
    keys: Vec<u64>,
    /// How many of the keys end in this byte.
    ending: [u16; 256],
}

impl Path {
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    #[inline]
    pub fn contains(&self, key: u64) -> bool {
        self.ending[usize::from(key as u8)] > 0 && self.keys.contains(&key)
    }

    #[inline]
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
        self.ending[usize::from(key as u8)] += 1;
    }

    #[inline]
    pub fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            self.ending[usize::from(key as u8)] -= 1;
        }
    }

    pub fn clear(&mut self) {
        self.keys.clear();
        self.ending = [0; 256];
    }
}

impl Default for Path {
    fn default() -> Path {
        Path { keys: Vec::new(), ending: [0; 256] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_holds_what_was_pushed_and_not_popped() {
        let mut path = Path::default();
        path.push(0x101);
        path.push(0x201);
        assert!(path.contains(0x101) && path.contains(0x201));
        assert!(!path.contains(0x301), "another key of the same byte");
        path.pop();
        assert!(path.contains(0x101) && !path.contains(0x201));
        path.clear();
        path.pop();
        assert_eq!((path.contains(0x101), path.len()), (false, 0));
    }
}
