import Foundation
import RawSQLite

/// A table of books that is read and written by calls of the SQLite C library, with the same checks
/// of types, NULL and results.
final class RawBooks: BookStore {
  private let database: OpaquePointer
  private let insert: OpaquePointer
  private let select: OpaquePointer
  private let selectAll: OpaquePointer
  private let update: OpaquePointer
  private let begin: OpaquePointer
  private let beginWriting: OpaquePointer
  private let commit: OpaquePointer
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  convenience init(at url: URL) throws { try self.init(at: url, makesTable: true) }

  init(at url: URL, makesTable: Bool) throws {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(url.path, &opened, flags, nil) == SQLITE_OK, let database = opened else {
      throw BenchmarkFailure("sqlite3_open failed")
    }
    self.database = database
    sqlite3_busy_timeout(database, 5_000)
    let pragmas = ["PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", Book.pageCache]
    for sql in makesTable ? pragmas + [Book.schema] : pragmas {
      guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
        throw BenchmarkFailure("sqlite3_exec failed: \(sql)")
      }
    }
    func prepare(_ sql: String) throws -> OpaquePointer {
      var statement: OpaquePointer?
      guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, let statement
      else { throw BenchmarkFailure("sqlite3_prepare_v2 failed: \(sql)") }
      return statement
    }
    insert = try prepare("INSERT INTO book VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    select = try prepare("SELECT * FROM book WHERE id = ?")
    selectAll = try prepare("SELECT * FROM book")
    update = try prepare("UPDATE book SET price = ? WHERE id = ?")
    begin = try prepare("BEGIN")
    beginWriting = try prepare("BEGIN IMMEDIATE")
    commit = try prepare("COMMIT")
  }

  deinit {
    for statement in [insert, select, selectAll, update, begin, beginWriting, commit] {
      sqlite3_finalize(statement)
    }
    sqlite3_close(database)
  }

  private func run(_ statement: OpaquePointer) throws {
    defer { sqlite3_reset(statement) }
    guard sqlite3_step(statement) == SQLITE_DONE else { throw BenchmarkFailure("step failed") }
  }

  private func check(_ code: Int32) throws {
    if code != SQLITE_OK { throw BenchmarkFailure("bind failed") }
  }

  private func bind(_ text: String, at place: Int32) throws {
    var text = text
    try check(
      text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text(insert, place, $0.baseAddress, Int32($0.count), Self.transient)
        }
      })
  }

  func insert(_ books: [Book]) throws {
    try run(beginWriting)
    for book in books {
      try check(sqlite3_bind_int64(insert, 1, book.id))
      try bind(book.title, at: 2)
      if let note = book.note {
        try bind(note, at: 3)
      } else {
        try check(sqlite3_bind_null(insert, 3))
      }
      try check(
        book.cover.withUnsafeBytes {
          sqlite3_bind_blob(insert, 4, $0.baseAddress, Int32($0.count), Self.transient)
        })
      try check(sqlite3_bind_int64(insert, 5, book.pages))
      try check(sqlite3_bind_double(insert, 6, book.weight))
      try check(sqlite3_bind_double(insert, 7, book.price))
      try check(sqlite3_bind_int64(insert, 8, book.isLent ? 1 : 0))
      try run(insert)
    }
    try run(commit)
  }

  func fetchAll() throws -> [Book] {
    try run(begin)
    defer { sqlite3_reset(selectAll) }
    var books: [Book] = []
    while true {
      let code = sqlite3_step(selectAll)
      if code == SQLITE_DONE { break }
      guard code == SQLITE_ROW else { throw BenchmarkFailure("step failed") }
      books.append(try Self.book(selectAll))
    }
    sqlite3_reset(selectAll)
    try run(commit)
    return books
  }

  func find(_ id: Int64) throws -> Book? {
    try run(begin)
    try check(sqlite3_bind_int64(select, 1, id))
    let book = sqlite3_step(select) == SQLITE_ROW ? try Self.book(select) : nil
    sqlite3_reset(select)
    try run(commit)
    return book
  }

  func update(_ id: Int64, price: Double) throws {
    try run(beginWriting)
    try check(sqlite3_bind_double(update, 1, price))
    try check(sqlite3_bind_int64(update, 2, id))
    try run(update)
    try run(commit)
  }

  func emptyRead() throws {
    try run(begin)
    try run(commit)
  }

  private static func book(_ row: OpaquePointer) throws -> Book {
    Book(
      id: try integer(row, 0), title: try text(row, 1),
      note: sqlite3_column_type(row, 2) == SQLITE_NULL ? nil : try text(row, 2),
      cover: try data(row, 3), pages: try integer(row, 4), weight: try real(row, 5),
      price: try real(row, 6), isLent: try integer(row, 7) != 0)
  }

  private static func expect(_ row: OpaquePointer, _ place: Int32, _ type: Int32) throws {
    guard sqlite3_column_type(row, place) == type else { throw BenchmarkFailure("another type") }
  }

  private static func integer(_ row: OpaquePointer, _ place: Int32) throws -> Int64 {
    try expect(row, place, SQLITE_INTEGER)
    return sqlite3_column_int64(row, place)
  }

  private static func real(_ row: OpaquePointer, _ place: Int32) throws -> Double {
    try expect(row, place, SQLITE_FLOAT)
    return sqlite3_column_double(row, place)
  }

  private static func text(_ row: OpaquePointer, _ place: Int32) throws -> String {
    try expect(row, place, SQLITE_TEXT)
    let start = sqlite3_column_text(row, place)
    let count = Int(sqlite3_column_bytes(row, place))
    guard
      let text = String(
        validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    else { throw BenchmarkFailure("no UTF-8") }
    return text
  }

  private static func data(_ row: OpaquePointer, _ place: Int32) throws -> Data {
    try expect(row, place, SQLITE_BLOB)
    let count = Int(sqlite3_column_bytes(row, place))
    return sqlite3_column_blob(row, place).map { Data(bytes: $0, count: count) } ?? Data()
  }
}
