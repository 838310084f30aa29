//! Opens files of problems: what is compressed by gzip or Zstandard is decompressed as it is read.
//!
//! Compressed data are recognised by their first bytes.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use super::{Entries, InputFormat, Reading, entries};

/// Returns the problems of a file, in order. Its name may say its format; else its beginning does.
///
/// # Errors
/// If the file cannot be opened, or its compressed data have no beginning. An error later on becomes the last entry.
///
/// ```no_run
/// for entry in matesolve_problem::problem::input::file::problems("problems.epd.gz".as_ref())? {
///     println!("{}: {:?}", entry.line, entry.problem.map(|problem| problem.fen));
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn problems(path: &Path) -> io::Result<Entries<'static>> {
    Ok(of_format(format(path), open(path)?))
}

/// Returns the problems of a text, in order, which may be compressed like a file.
///
/// # Errors
/// If its compressed data have no beginning.
pub fn problems_of(bytes: Vec<u8>) -> io::Result<Entries<'static>> {
    // An entry of a collection needs no separator when it is all there is.
    let format = InputFormat::of_text(&String::from_utf8_lossy(&bytes));
    Ok(of_format(Some(format), decompressed(Cursor::new(bytes))?))
}

fn of_format(format: Option<InputFormat>, input: Box<dyn Read + Send>) -> Entries<'static> {
    let format = format.filter(|&format| format == InputFormat::Collection);
    entries(BufReader::new(input), 0, Reading { format, is_whole: true, ..Reading::default() })
}

/// Returns the format that the end of a file's name says, if it says one. What says that the file is compressed may
/// follow.
pub fn format(path: &Path) -> Option<InputFormat> {
    let is_compressed = |extension: &std::ffi::OsStr| extension == "gz" || extension == "zst";
    let inner = path.extension().filter(|extension| is_compressed(extension)).and(path.file_stem()).map(Path::new);
    InputFormat::of_ending(inner.unwrap_or(path).extension()?.to_str()?)
}

/// Opens a file.
pub fn open(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::other("it is a directory; name the files in it"));
    }
    decompressed(file)
}

/// The first bytes of a stream that gzip has written.
const GZIP: &[u8] = &[0x1f, 0x8b];
/// The first bytes of a stream that zstd has written.
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// The first bytes of archives that are not read.
const ARCHIVES: [(&[u8], &str); 3] = [(b"PK\x03\x04", "ZIP"), (b"7z\xbc\xaf", "7z"), (b"\xfd7zX", "xz")];

/// Returns the input itself, or what it holds if it is compressed.
pub fn decompressed(input: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let mut input = input;
    let mut start = Vec::new();
    input.by_ref().take(ZSTD.len() as u64).read_to_end(&mut start)?;
    let (is_gzip, is_zstd) = (start.starts_with(GZIP), start.starts_with(ZSTD));
    if let Some((_, name)) = ARCHIVES.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Err(io::Error::other(format!("it is a {name} archive; unpack it, and name the files in it")));
    }
    let whole = BufReader::new(Cursor::new(start).chain(input));
    Ok(match () {
        () if is_gzip => Box::new(Whole::of("gzip", flate2::bufread::MultiGzDecoder::new(whole))),
        () if is_zstd => Box::new(Whole::of("Zstandard", Frames { decoder: Some(zstd_decoder(whole)?) })),
        () => Box::new(whole),
    })
}

/// Decompressed data, or an error that says so if they do not come to their end.
struct Whole<R> {
    format: &'static str,
    data: R,
    /// The error, which is repeated: after it, some decompressors behave as at the end of the data.
    error: Option<String>,
}

impl<R> Whole<R> {
    fn of(format: &'static str, data: R) -> Whole<R> {
        Whole { format, data, error: None }
    }
}

impl<R: Read> Read for Whole<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.error.is_none() {
            match self.data.read(buffer) {
                Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                    self.error = Some(damaged(self.format, &error.to_string()));
                }
                other => return other,
            }
        }
        Err(io::Error::other(self.error.clone().unwrap_or_default()))
    }
}

fn damaged(format: &str, why: &str) -> String {
    format!("its {format} data are damaged or cut short ({why}); copy the file again")
}

/// Decompresses all frames of a Zstandard stream, one after the other.
struct Frames<R: BufRead> {
    /// `None` at the end.
    decoder: Option<StreamingDecoder<R, FrameDecoder>>,
}

fn zstd_decoder<R: BufRead>(input: R) -> io::Result<StreamingDecoder<R, FrameDecoder>> {
    StreamingDecoder::new(input).map_err(|error| {
        io::Error::other(match error {
            FrameDecoderError::WindowSizeTooBig { requested, max } => format!(
                "its Zstandard data need a window of {} MiB, and at most {} MiB are read; compress it again without \
                 --long or --ultra, or decompress it first",
                requested.div_ceil(1 << 20),
                max >> 20
            ),
            error => damaged("Zstandard", &error.to_string()),
        })
    })
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            let read = decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let Some(mut rest) = self.decoder.take().map(StreamingDecoder::into_inner) else { break };
            if !rest.fill_buf()?.is_empty() {
                self.decoder = Some(zstd_decoder(rest)?);
            }
        }
        Ok(0)
    }
}
