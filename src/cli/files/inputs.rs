//! Opens the input files of the commands, names them in messages, and recognises `.olv` collections.
//!
//! Inputs compressed by gzip or Zstandard are recognised by their first bytes and decompressed as they are read.
//! The path `-` means standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use crate::problem::input::{self, Entries, InputFormat, Reading};

use crate::cli::terminal::messages::CliError;

/// Returns the name of an input as messages show it.
pub(crate) fn name(path: &Path) -> String {
    if is_stdin(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Opens an input. Commands open all inputs before they search, so that a mistyped name is reported at once.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Read + Send>, CliError> {
    if is_stdin(path) {
        return decompressed(io::stdin()).map_err(|error| unreadable(path, &error.to_string()));
    }
    let file = File::open(path).map_err(|error| unreadable(path, &error.to_string()))?;
    let metadata = file.metadata().map_err(|error| unreadable(path, &error.to_string()))?;
    if metadata.is_dir() {
        return Err(unreadable(path, "it is a directory; name the files in it"));
    }
    decompressed(file).map_err(|error| unreadable(path, &error.to_string()))
}

/// The first bytes of a stream that gzip has written.
const GZIP: &[u8] = &[0x1f, 0x8b];
/// The first bytes of a stream that zstd has written.
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Returns the input itself, or what it holds if it is compressed.
fn decompressed(input: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let mut input = input;
    let mut start = Vec::new();
    input.by_ref().take(ZSTD.len() as u64).read_to_end(&mut start)?;
    let (is_gzip, is_zstd) = (start.starts_with(GZIP), start.starts_with(ZSTD));
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

/// Reads a whole input.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(|error| unreadable(path, &error.to_string()))?;
    Ok(bytes)
}

/// Returns the entries of an opened input, which has the index `file` among several. Of games, `ply` chooses the
/// half-move. `keeps_bytes`: every byte of a collection is kept.
pub(crate) fn entries(
    path: &Path,
    input: impl Read + Send + 'static,
    file: usize,
    ply: Option<u16>,
    keeps_bytes: bool,
) -> Entries<'static> {
    let format = is_collection(path).then_some(InputFormat::Collection);
    input::entries(BufReader::new(input), file, Reading { format, ply, keeps_bytes })
}

/// Returns whether the end of a file's name says that it is an `.olv` collection. What says that it is compressed may
/// follow.
pub(crate) fn is_collection(path: &Path) -> bool {
    let is_compressed = |extension: &std::ffi::OsStr| extension == "gz" || extension == "zst";
    let inner = path.extension().filter(|extension| is_compressed(extension)).and(path.file_stem()).map(Path::new);
    let extension = inner.unwrap_or(path).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    InputFormat::of_ending(extension) == Some(InputFormat::Collection)
}

/// Returns whether the path means standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn unreadable(path: &Path, why: &str) -> CliError {
    CliError::Usage(format!("{} cannot be read: {why}", name(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_are_recognised_by_their_extension() {
        for (path, expected) in [
            ("my.olv", true),
            ("a/b.YAML", true),
            ("x.yml", true),
            ("x.olv.gz", true),
            ("x.epd.zst", false),
            ("x.epd", false),
            ("olv", false),
        ] {
            assert_eq!(is_collection(Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn a_dash_is_named_standard_input() {
        assert_eq!(name(Path::new("-")), "standard input");
        assert_eq!(name(Path::new("a/b.epd")), "a/b.epd");
    }
}
