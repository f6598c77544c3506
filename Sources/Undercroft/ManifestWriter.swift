import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes the manifest of a home, whole and only when it says something new.
enum ManifestWriter {
  static func write(_ manifest: StorageManifest, to home: URL) throws(StorageError) {
    let path = home.appending(path: StorageManifest.fileName).path(percentEncoded: false)
    do throws(StorageError) {
      let bytes = try encode(manifest)
      if let old = try present(path) {
        if old == bytes { return }
        // A later version's manifest says more than we know: it stays.
        if let error = newerVersion(old, path) { throw error }
      }
      let folder = home.path(percentEncoded: false)
      try Folder.create(folder)
      try TemporaryFile.sweep(try Folder.open(folder))
      try ReplacementFile.write(bytes, to: path)
    } catch {
      if error.code == .notSupported { throw error }
      throw StorageError(
        error.code, "cannot write the manifest \(quoted(path)): \(error.message)",
        underlying: error.underlying)
    }
  }

  private static func encode(_ manifest: StorageManifest) throws(StorageError) -> Data {
    do {
      return try manifest.encoded
    } catch {
      throw StorageError(.encodingFailed, "its routes have no form in JSON", underlying: error)
    }
  }

  /// Returns the bytes that are there; of a file too large to be a manifest only the beginning, which is damaged enough.
  private static func present(_ path: String) throws(StorageError) -> Data? {
    guard try Folder.hasEntry(at: path) else { return nil }
    // Whatever else stands there must not be waited for.
    let file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK)
    guard try file.status().st_mode & S_IFMT == S_IFREG else {
      throw StorageError(.misuse, "it is no regular file", cure: "remove what stands there")
    }
    return try file.read(1 << 20, at: 0)
  }

  private static func newerVersion(_ bytes: Data, _ path: String) -> StorageError? {
    do throws(StorageError) {
      _ = try StorageManifest(decoding: bytes, from: path)
      return nil
    } catch {
      return error.code == .notSupported ? error : nil
    }
  }
}
