//! Memory for large tables: how much the machine has, and allocations that may fail and that give their memory back.
//!
//! On 64-bit Linux, the allocator of the C library glibc may keep freed blocks once it has seen a larger one freed.
//! Blocks of more than 32 MiB are always taken from the system and given back. So there a table of 128 KiB or more that
//! is made here reserves that much *address space*, if there is so much. A page takes memory only when it is written to
//! for the first time, so the unused part costs none.

use std::fs;
use std::path::Path;

use bytemuck::Zeroable;

/// Blocks of more than this many bytes never stay with the allocator (`DEFAULT_MMAP_THRESHOLD_MAX` of glibc on 64
/// bits).
const ALWAYS_RETURNED: usize = 32 << 20;

/// Blocks below this size are too small to matter: they do not make the allocator keep larger ones.
const SMALL: usize = 128 << 10;

/// Returns the number of records to reserve so that a block of `len` records is given back when it is freed.
fn padded<T>(len: usize) -> usize {
    let is_glibc = cfg!(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"));
    let bytes = len.saturating_mul(size_of::<T>());
    if !is_glibc || !(SMALL..=ALWAYS_RETURNED).contains(&bytes) {
        return len;
    }
    (ALWAYS_RETURNED + SMALL).div_ceil(size_of::<T>())
}

/// Returns an empty list with room for `len` records; `None` if there is no memory for it.
pub(crate) fn room<T>(len: usize) -> Option<Vec<T>> {
    [padded::<T>(len), len].into_iter().find_map(|records| {
        let mut list = Vec::new();
        list.try_reserve_exact(records).ok()?;
        Some(list)
    })
}

/// Returns at least `len` records that are all zero, but only half as many, a quarter and so on, as long as there is no
/// memory for more. The second value is the number of records to use.
pub(crate) fn zeroed<T: Zeroable>(len: usize) -> (Box<[T]>, usize) {
    let halved = std::iter::successors(Some(len), |&len| (len > 1).then_some(len / 2));
    let allocated = halved.flat_map(|len| [(padded::<T>(len), len), (len, len)]).find_map(|(records, len)| {
        let slice = bytemuck::allocation::try_zeroed_slice_box(records).ok()?;
        Some((slice, len))
    });
    allocated.unwrap_or_default()
}

/// Returns the most memory that tables may take on this machine, in bytes: seven eighths of what there is. Without a
/// known limit, `usize::MAX`.
pub fn most() -> usize {
    machine().map_or(usize::MAX, |bytes| bytes - bytes / 8)
}

/// Returns a sentence that says what is used instead if `asked` bytes are more than [`most`].
pub fn warning(asked: usize) -> Option<String> {
    let (there, used) = (machine()? >> 20, most() >> 20);
    (asked > most()).then(|| {
        let asked = asked >> 20;
        format!("{asked} MiB of memory are asked for, but there are {there} MiB; {used} MiB are used")
    })
}

/// Returns the memory that this process can use, in bytes: that of the machine, or the least that one of its control
/// groups allows (a container or a batch system limits that). `None` if the system does not say.
pub(crate) fn machine() -> Option<usize> {
    let physical = fs::read_to_string("/proc/meminfo").ok().and_then(|text| total(&text));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    physical.into_iter().chain(limit_of_groups(&groups, Path::new("/sys/fs/cgroup"))).min()
}

/// Returns the least limit of the control groups that `/proc/self/cgroup` lists, and of the groups they are in.
///
/// A line is `0::/group/in/group` for version 2 of control groups, and `5:memory:/group` for version 1, whose groups
/// are in a folder for each resource. In a container, the folder of its own group may be `mounted` itself, so folders
/// that are missing are passed over.
fn limit_of_groups(lines: &str, mounted: &Path) -> Option<usize> {
    let limits = lines.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (resources, group) = (fields.next()?, fields.next()?);
        let (folder, files) = match resources {
            "" => (mounted.to_owned(), &["memory.max", "memory.high"][..]),
            _ if resources.split(',').any(|name| name == "memory") => {
                (mounted.join("memory"), &["memory.limit_in_bytes"][..])
            }
            _ => return None,
        };
        let inner = Path::new(group.trim_start_matches('/'));
        let folders = inner.ancestors().filter(|inner| !inner.starts_with("..")).map(|inner| folder.join(inner));
        let paths = folders.flat_map(|folder| files.iter().map(move |file| folder.join(file)));
        // Without a limit, the file contains the word `max`.
        paths.filter_map(|path| fs::read_to_string(path).ok()?.trim().parse().ok()).min()
    });
    limits.min()
}

/// Reads the line `MemTotal:  24684600 kB` of `/proc/meminfo`.
fn total(meminfo: &str) -> Option<usize> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()?.checked_mul(1 << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_are_freed_go_back_to_the_system() {
        assert_eq!((padded::<u64>(10), padded::<u64>(5 << 20)), (10, 5 << 20));
        if cfg!(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64")) {
            assert!(padded::<[u64; 2]>(1 << 16) * 16 > ALWAYS_RETURNED);
        }
        assert!(room::<u64>(1 << 16).is_some_and(|list| list.capacity() >= 1 << 16 && list.is_empty()));
        let (records, len) = zeroed::<u64>(1 << 16);
        assert!(len == 1 << 16 && records.len() >= len && records.iter().all(|&record| record == 0));
    }

    #[test]
    fn an_allocation_that_cannot_be_made_is_no_failure() {
        assert!(room::<u64>(usize::MAX / 64).is_none());
        // A size that no machine has is halved until it fits; the pages are never touched.
        let (records, len) = zeroed::<u64>(usize::MAX / 64);
        assert!(len > 0 && records.len() >= len);
    }

    #[test]
    fn the_least_limit_of_nested_groups_counts() {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let limits = [
            ("a/b/memory.max", "max\n"),
            ("a/memory.max", "3000\n"),
            ("a/memory.high", "2000\n"),
            ("memory/v1/memory.limit_in_bytes", "500\n"),
            ("memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ];
        for (path, text) in limits {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("it has a folder")).expect("it can be created");
            fs::write(path, text).expect("it can be written");
        }
        let limit = |lines| limit_of_groups(lines, folder.path());
        assert_eq!(limit("0::/a/b/c\n"), Some(2000));
        assert_eq!(limit("0::/\n"), None);
        assert_eq!(limit("9:cpu:/a\n5:memory,x:/v1/w\n0::/a\n"), Some(500));
        // The group of a container that does not see the groups above it.
        assert_eq!(limit("5:memory:/docker/0123\n"), Some(0x7fff_ffff_ffff_f000));
        assert_eq!((limit("0::/../a"), limit(""), limit("nonsense")), (None, None, None));
    }

    #[test]
    fn the_memory_of_the_machine_is_read() {
        assert_eq!(total("MemFree: 1 kB\nMemTotal:       24684600 kB\n"), Some(24_684_600 << 10));
        assert_eq!(total("MemTotal: much"), None);
        assert!(machine().is_none_or(|bytes| bytes > 1 << 24 && most() < bytes));
    }
}
