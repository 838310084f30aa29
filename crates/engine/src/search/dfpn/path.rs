//! The path of the search: the keys of the positions from the root to the node being searched.
//!
//! A search for a mate looks up every listed child on the path, and almost none is there. So the path counts its keys
//! by their lowest byte: if no key has the byte, no key is compared.

/// The path from the root to the node being searched, as keys.
#[derive(Debug)]
pub(super) struct Path {
    keys: Vec<u64>,
    /// The number of keys with each lowest byte.
    by_low_byte: [u16; 256],
}

impl Path {
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    #[inline]
    pub fn contains(&self, key: u64) -> bool {
        self.by_low_byte[usize::from(key as u8)] > 0 && self.keys.contains(&key)
    }

    #[inline]
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
        self.by_low_byte[usize::from(key as u8)] += 1;
    }

    #[inline]
    pub fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            self.by_low_byte[usize::from(key as u8)] -= 1;
        }
    }

    pub fn clear(&mut self) {
        self.keys.clear();
        self.by_low_byte = [0; 256];
    }
}

impl Default for Path {
    fn default() -> Path {
        Path { keys: Vec::new(), by_low_byte: [0; 256] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_contains_the_keys_pushed_and_not_popped() {
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
