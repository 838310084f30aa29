//! Tells the linker how much stack the module has in its own memory.
//!
//! The stack of a WebAssembly program has two parts: values whose address is taken lie in the module's memory, in the
//! part that is reserved here; return addresses and all other values lie on a stack of the host. Searches call
//! themselves once for each ply. The part here is large enough that a host's stack always ends first, and the host
//! reports that.

fn main() {
    const STACK: usize = 32 << 20;
    println!("cargo:rustc-link-arg-cdylib=-zstack-size={STACK}");
    // Names of functions would make up a quarter of the file.
    println!("cargo:rustc-link-arg-cdylib=--strip-all");
    println!("cargo:rerun-if-changed=build.rs");
}
