public import UndercroftCore
import UndercroftFileSystem
public import UndercroftFoundation

extension SQL {
  /// Reads a script from a UTF-8 file.
  ///
  /// The text becomes SQL without a check, so read
  /// only files that you trust as much as source code.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if the file is not UTF-8, and any error that
  ///   reading the file throws.
  public init(contentsOf url: URL) throws(StorageError) {
    let path = try DatabaseFile.path(of: url)
    let bytes: Data
    do throws(StorageError) {
      try SQLiteFile.reject(at: path)
      bytes = try Descriptor(regularFile: path, O_RDONLY).readAll(
        limit: Int(Int32.max) - 1, suggestion: "split the script into several smaller files")
    } catch {
      throw error.naming(backend: SQLiteBackend.name)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw StorageError(
        .decodingFailed, "cannot read the script \(quoted(path)): the file is not valid UTF-8",
        suggestion: "convert the file to UTF-8",
        backend: SQLiteBackend.name)
    }
    self.init(unchecked: text)
  }
}
