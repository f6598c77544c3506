import UndercroftCore
import UndercroftFoundation

/// The tables to which the pages of a database belong at present.
struct TablesByPage {
  private let names: [String]
  /// The index in ``names`` of the table to which a page belongs.
  private var indices: [UInt32: Int] = [:]

  /// The size in pages of the largest database that is read.
  ///
  /// Every page has to be read to find its table. The limit is 256 MiB if pages have 4 KiB.
  private static let maximumPageCount = 65_536

  /// Reads the pages of the database at `url`, with those of indexes and of large values.
  ///
  /// Returns `nil` if the database is too large, is damaged, or SQLite was built without the
  /// virtual table `dbstat`.
  init?(of url: URL) {
    guard let tables = try? Database.inspecting(url, { db in try Self(in: db) }) else { return nil }
    self = tables
  }

  private init?(in db: Connection) throws {
    guard let count = try db.integer("PRAGMA page_count"), count <= Self.maximumPageCount else {
      return nil
    }
    var names: [String] = []
    var known: [ExactString: Int] = [:]
    var indices: [UInt32: Int] = [:]
    // `dbstat` names the schema table after its page, which no row of the table describes.
    try db.forEach(
      """
      SELECT d.pageno, coalesce(s.tbl_name, d.name) FROM dbstat d
      LEFT JOIN sqlite_schema s ON s.name = d.name AND s.rootpage > 0
      """
    ) { row in
      guard let page = UInt32(exactly: try row[0] as Int64) else { return }
      let name: String = try row[1]
      if known[ExactString(name)] == nil {
        known[ExactString(name)] = names.count
        names.append(name)
      }
      indices[page] = known[ExactString(name)]
    }
    self.names = names
    self.indices = indices
  }

  /// Returns the names of the tables to which pages belong, sorted.
  func names(of pages: Set<UInt32>) -> [String] {
    Set(pages.compactMap { indices[$0] }).map { names[$0] }.sorted()
  }
}
