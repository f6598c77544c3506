import Foundation
import Undercroft
import UndercroftCore
import UndercroftGDBM
import UndercroftSQLite

/// The stores that ``InspectorContest`` reads.
enum LargeStores {
  /// The text that is in the last row and in the last file, and nowhere else.
  static let needle = "the last loan of the library"

  /// Creates a database of books with long notes.
  static func makeDatabase(at url: URL, byteCount: Int) throws {
    let database = try Database(at: url)
    try database.write { db in
      try db.execute("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, note TEXT, cover BLOB)")
    }
    let count = byteCount / 1_000
    for first in stride(from: 1, through: count, by: 50_000) {
      try database.write { db in
        try db.prepare("INSERT INTO book VALUES (?, ?, ?, ?)") { insert in
          for number in first..<min(first + 50_000, count + 1) {
            try insert.bind(Int64(number), at: 1)
            try insert.bind("The book of the number \(number)", at: 2)
            try insert.bind(note(number, isLast: number == count), at: 3)
            try insert.bind(Data(repeating: UInt8(number % 251), count: 64), at: 4)
            try insert.run()
          }
        }
      }
    }
    try database.checkpoint(.truncate)
    try database.close()
  }

  /// Creates a folder of files with one value each.
  static func makeFiles(in url: URL, byteCount: Int, fileSize: Int) throws {
    let backend = try BackendChoice.files(in: url).open()
    let text = (0..<max(1, fileSize / 850)).map { note($0, isLast: false) }.joined()
    let count = max(1, byteCount / fileSize)
    for number in 1...count {
      let content = number == count ? text + needle : text
      try backend.apply([.set("page/\(number)", Data(content.utf8))])
    }
  }

  /// Writes short values under many names into a store.
  static func fill(_ choice: BackendChoice, count: Int) throws {
    let backend = try choice.open()
    for first in stride(from: 0, to: count, by: 100_000) {
      try backend.apply(
        (first..<min(first + 100_000, count)).map { number in
          .set("reader/\(number % 1_000)/loan/\(number)", Data("due in \(number % 30) days".utf8))
        })
    }
  }

  /// Returns a text of about 850 bytes.
  private static func note(_ number: Int, isLast: Bool) -> String {
    let words = ["shelf", "reader", "loan", "return", "catalogue", "binding", "author", "edition"]
    var (text, value) = ("", UInt64(truncatingIfNeeded: number) &* 0x9e37_79b9_7f4a_7c15 | 1)
    for _ in 0..<110 {
      value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      text += words[Int(value >> 61)] + " "
    }
    return isLast ? text + needle : text
  }
}
