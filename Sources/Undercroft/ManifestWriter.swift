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
    let bytes: Data
    do {
      bytes = try manifest.encoded
    } catch {
      throw StorageError(.encodingFailed, "cannot write the manifest", underlying: error)
    }
    if access(path, F_OK) == 0 {
      let old = try Descriptor(opening: path, O_RDONLY).readAll(limit: 1 << 20)
      if old == bytes { return }
      // A later version's manifest says more than we know: it stays.
      if let error = newerVersion(old, path) { throw error }
    }
    try Folder.create(home.path(percentEncoded: false))
    try ReplacementFile.write(bytes, to: path)
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
