public import UndercroftCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension StoreOpener {
  /// Opens SQLite databases, of this toolkit or any other program, and changes nothing.
  public static var sqlite: StoreOpener {
    StoreOpener(
      scheme: SQLiteBackend.name,
      recognises: { url in
        guard let path = try? DatabaseFile.path(of: url), DatabaseFile.isRegular(path),
          let source = try? DatabaseSource(path)
        else { return false }
        return source.isDatabase
      },
      open: { (url, _) throws(StorageError) in try InspectedDatabase(at: url) })
  }
}
