import UndercroftCore
import UndercroftFoundation
import UndercroftInspection

extension DatabaseSource {
  /// The size in bytes of the longest path that SQLite opens. (`MAX_PATHNAME`)
  ///
  /// SQLite reserves 8 of 512 bytes for the suffix "-journal".
  private static let maximumPathByteCount = 504

  /// Returns up to ``StoreCandidate/startByteCount`` bytes from the beginning of a file, which need
  /// not be a database.
  ///
  /// - Returns: the bytes, or `nil` if no regular file is at `url`, or if SQLite does not support
  ///   the path.
  /// - Throws: the error of the operating system if the file cannot be read.
  static func start(ofFile url: URL) throws(StorageError) -> Data? {
    guard let path = try? DatabaseFile.path(of: url), DatabaseFile.isRegular(path) else {
      return nil
    }
    do throws(StorageError) {
      return try DatabaseSource(path).read(at: 0, StoreCandidate.startByteCount)
    } catch {
      // Another process may have removed the file, or the path may be too long for SQLite.
      guard DatabaseFile.isRegular(path),
        DatabaseFile.resolved(path).utf8.count <= maximumPathByteCount
      else { return nil }
      guard let number = SQLiteError(causeOf: error)?.systemErrorNumber, number != 0 else {
        throw error
      }
      // Without the words of SQLite about a database, because the file may have another format.
      throw .system("read", path, number: number)
    }
  }
}
