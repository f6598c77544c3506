import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection

/// The writer of the manifest, a JSON file in the home directory of a storage.
///
/// The manifest lists the location of the store of each kind, so that tools can
/// find the stores. The file is replaced atomically, and only if its content changes.
enum ManifestWriter {
  static func write(_ manifest: StorageManifest, to home: URL) throws(StorageError) {
    let path = home.appending(path: StorageManifest.fileName).path(percentEncoded: false)
    do throws(StorageError) {
      let bytes = try encode(manifest)
      if let old = try present(path) {
        if old == bytes { return }
        // The manifest of a later version may contain properties
        // that this version does not support, so it is not replaced.
        if let error = newerVersion(old, path) { throw error }
      }
      let folder = home.path(percentEncoded: false)
      try Folder.create(folder)
      try TemporaryFile.sweep(try Folder.open(folder))
      try ReplacementFile.write(bytes, to: path)
    } catch {
      if error.code == .notSupported { throw error }
      throw error.within("cannot write the manifest \(quoted(path))")
    }
  }

  private static func encode(_ manifest: StorageManifest) throws(StorageError) -> Data {
    do {
      return try manifest.encoded
    } catch {
      throw StorageError(
        .encodingFailed, "the names of kinds and codecs in the manifest cannot be encoded as JSON",
        suggestion: """
          use other names in the declarations of the kinds of data and of the codecs, and open \
          the storage again
          """,
        underlying: error)
    }
  }

  /// Returns the content of the manifest file, or `nil` if there is no file.
  ///
  /// Reads at most 1 MiB, because a larger file is not a valid manifest.
  private static func present(_ path: String) throws(StorageError) -> Data? {
    guard try Folder.hasEntry(at: path) else { return nil }
    // `O_NONBLOCK` prevents opening from blocking if the path is a FIFO.
    let file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK)
    guard try file.status().st_mode & S_IFMT == S_IFREG else {
      throw StorageError(
        .misuse, "the item at this path is not a regular file",
        suggestion: "remove the item, or choose another home directory for the storage")
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
