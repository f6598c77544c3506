import BehaviourTrait
import Foundation
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct ConditionTests {
  // The compiler must type-check the expression in less than one second.
  @Test func `a condition can combine more than ten terms of different kinds`() throws {
    let database = try Volume.library()
    let note: String? = "lent"

    let keys = try database.keys {
      $0.rating >= 3 && $0.pages != nil && ($0.title == "Dune" || $0.title.like("W%"))
        && $0.price > 1.5 && $0.note == note && !($0.rating == 1) && $0.pages * 2 + 1 < 5000
        && $0.id.isIn([1, 2, 5]) && $0.title.length <= 6 && $0.rating.isBetween(1...5)
        && $0.isLent == false
    }

    #expect(keys == [1])
  }

  @Test func `a string literal in an SQLExpression of a text type is SQL and not a bound text`()
    throws
  {
    let database = try Volume.library()

    let keys = try database.keys { _ in SQLExpression("upper(title)") == "DUNE" }
    let bound = try database.keys { $0.title == SQLExpression(value: "Dune") }

    #expect(keys == [1])
    #expect(bound == [1])
  }

  @Test func `each comparison operator selects the rows that satisfy the comparison`() throws {
    let database = try Volume.library()
    #expect(try database.keys { $0.rating == 4 } == [2, 3])
    #expect(try database.keys { $0.rating != 4 } == [1, 4, 5])
    #expect(try database.keys { $0.rating < 4 } == [4, 5])
    #expect(try database.keys { $0.rating <= 4 } == [2, 3, 4, 5])
    #expect(try database.keys { $0.pages > 400 } == [1, 4])
    #expect(try database.keys { $0.pages >= 400 } == [1, 2, 4])
    #expect(try database.keys { $0.isLent } == [5])
  }

  @Test(.behaviour("A-CT-F06"))
  func `a comparison of a column with nil finds NULL, and NULL differs from every other value`()
    throws
  {
    let database = try Volume.library()
    let absent: Int64? = nil
    #expect(try database.keys { $0.note == nil } == [2])
    #expect(try database.keys { $0.authorID == absent } == [4])
    #expect(try database.keys { $0.authorID == 2 } == [2, 3])
    // A column that contains no NULL.
    #expect(try database.keys { $0.title == nil } == [])
    #expect(try database.keys { $0.title != nil } == [1, 2, 3, 4, 5])
    // As in Swift, nil differs from "lent".
    #expect(try database.keys { $0.note != "lent" } == [2, 3, 4])
    #expect(try database.keys { !($0.note == "lent") } == [2, 3, 4])
  }

  @Test func `a negated condition selects exactly the rows that do not satisfy the condition`()
    throws
  {
    let database = try Volume.library()
    #expect(try database.keys { !($0.pages > 400) } == [2, 3, 5])
    #expect(try database.keys { !(!($0.pages > 400)) } == [1, 4])
    #expect(try database.keys { !($0.pages > 400 && $0.rating == 5) } == [2, 3, 4, 5])
  }

  @Test func `a condition can compare two columns of a row`() throws {
    let database = try Volume.library()
    #expect(try database.keys { $0.id == $0.authorID } == [1, 2])
    #expect(try database.keys { $0.id != $0.authorID } == [3, 5])
    #expect(try database.keys { $0.pages > $0.rating * 125 } == [4])
    #expect(try database.keys { $0.rating <= $0.pages / 100 } == [1, 2, 4])
  }

  @Test func `parentheses and operator precedence are preserved in combined conditions`() throws {
    let database = try Volume.library()
    try #expect(
      database.keys { ($0.rating == 5 || $0.rating == 4) && $0.pages == 400 } == [2])
    #expect(try database.keys { $0.rating == 5 || $0.rating == 4 && $0.pages == 400 } == [1, 2])
    try #expect(
      database.keys { Condition("rating = 5 OR rating = 4") && $0.pages == 400 } == [2])
    #expect(try database.keys { ($0.rating + 1) * 2 == 12 } == [1])
    #expect(try database.keys { ($0.rating == 5) == false } == [2, 3, 4, 5])
    #expect(try database.keys { ($0.rating - ($0.rating - 1)) * $0.rating == 5 } == [1])
  }

  @Test func `conditions in an array can be combined with .all(_:) and .any(_:)`() throws {
    let database = try Volume.library()
    #expect(try database.keys { .all([$0.rating >= 3, $0.pages < 500]) } == [2, 5])
    #expect(try database.keys { .any([$0.rating == 5, $0.id == 4]) } == [1, 4])
    #expect(try database.keys { _ in .all([]) } == [1, 2, 3, 4, 5])
    #expect(try database.keys { _ in .any([]) } == [])
    // More terms than SQLite accepts as nested expressions.
    try #expect(
      database.keys { volume in .any((0..<3000).map { volume.pages == $0 + 300 }) }
        == [1, 2, 4])

    let chain = try database.keys { volume in
      (0..<300).reduce(volume.id == 5) { $0 || volume.pages == 300 + $1 }
    }
    #expect(chain == [2, 5])
  }

  @Test(.behaviour("A-CT-F01"))
  func `isIn selects rows whose value is in the list, and an empty list selects no row`() throws {
    let database = try Volume.library()
    #expect(try database.keys { $0.id.isIn([1, 2, 4, 5]) } == [1, 2, 4, 5])
    #expect(try database.keys { $0.id.isIn([2, 77]) } == [2])
    #expect(try database.keys { $0.id.isIn([]) } == [])
    #expect(try database.keys { $0.id.isNotIn([]) } == [1, 2, 3, 4, 5])
    #expect(try database.keys { $0.title.isNotIn(["Dune", "Emma"]) } == [3, 4, 5])
    // nil is a value of the list like any other.
    #expect(try database.keys { $0.note.isIn(["", nil]) } == [2, 4])
    #expect(try database.keys { $0.note.isIn([nil]) } == [2])
    #expect(try database.keys { $0.note.isNotIn(["lent"]) } == [2, 3, 4])
    #expect(try database.keys { $0.note.isNotIn(["lent", nil]) } == [3, 4])
  }

  @Test func `isIn accepts any number of integers, but at most 32,000 floating-point numbers`()
    throws
  {
    let database = try Volume.library()
    try #expect(
      database.keys { $0.id.isIn((3...400_000).map { Int64($0) }) } == [3, 4, 5])

    let texts = (0..<1000).map { "\($0) \u{1F}\"\\'\n" } + ["Dune"]
    #expect(try database.keys { $0.title.isIn(texts) } == [1])
    #expect(try database.keys { $0.title.isIn(texts.map { $0 + "\0" } + ["Emma"]) } == [2])

    #expect(try database.keys { $0.price.isIn((1...1000).map { Double($0) }) } == [3, 4, 5])
    let error = #expect(throws: StorageError.self) {
      try database.keys { $0.price.isIn((1...40_000).map { Double($0) }) }
    }
    #expect(error?.code == .misuse)
  }

  @Test func `isBetween accepts closed, half-open, one-sided and unbounded ranges`() throws {
    let database = try Volume.library()
    #expect(try database.keys { $0.pages.isBetween(250...600) } == [1, 2, 5])
    #expect(try database.keys { $0.pages.isBetween(250..<600) } == [2, 5])
    #expect(try database.keys { $0.pages.isBetween(600...) } == [1, 4])
    #expect(try database.keys { $0.pages.isBetween(...400) } == [2, 5])
    #expect(try database.keys { $0.pages.isBetween(..<400) } == [5])

    let (least, greatest): (Int?, Int?) = (300, nil)
    #expect(try database.keys { $0.pages.isBetween(least, greatest) } == [1, 2, 4])
    #expect(try database.keys { $0.pages.isBetween(nil, 400) } == [2, 5])
    #expect(try database.keys { $0.pages.isBetween(nil, nil) } == [1, 2, 3, 4, 5])
    #expect(try database.keys { $0.title.isBetween("D", "F") } == [1, 2])
  }

  @Test
  func `LIKE matches patterns, and hasPrefix, contains and hasSuffix match wildcards literally`()
    throws
  {
    let database = try Volume.library()
    #expect(try database.keys { $0.title.like("e%") } == [2, 3])
    #expect(try database.keys { $0.note.notLike("l%") } == [3, 4])
    #expect(try database.keys { $0.title.hasPrefix("E") } == [2])
    #expect(try database.keys { $0.title.hasPrefix("E", ignoringCase: true) } == [2, 3])
    #expect(try database.keys { $0.title.contains("a_") } == [3])
    #expect(try database.keys { $0.title.contains("A_", ignoringCase: true) } == [3])
    #expect(try database.keys { $0.note.contains("%") } == [3])
    #expect(try database.keys { $0.note.contains("%", ignoringCase: true) } == [3])
    #expect(try database.keys { $0.note.contains("[0-9]") } == [])
    #expect(try database.keys { $0.title.hasSuffix("n") } == [5])
    #expect(try database.keys { $0.title.contains("\\", ignoringCase: true) } == [])
  }

  @Test func `a condition can compare an SQL function of a column with a value`() throws {
    let database = try Volume.library()
    #expect(try database.keys { $0.title.lowercased == "emma" } == [2])
    #expect(try database.keys { $0.title.uppercased == "DUNE" } == [1])
    #expect(try database.keys { $0.title.collated("NOCASE") == "EMMA" } == [2])
    #expect(try database.keys { $0.note.coalesce("none") == "none" } == [2])
    #expect(try database.keys { $0.note.coalesce("none").length == 4 } == [1, 2, 5])
    #expect(try database.keys { $0.pages / 0 == nil } == [1, 2, 3, 4, 5])
  }

  @Test func `raw SQL conditions combine with typed conditions and bind interpolated values`()
    throws
  {
    let database = try Volume.library()
    let (least, text) = (5, "x' OR 1 --")
    try #expect(
      database.keys { Condition("length(title) > \(least)") && $0.rating >= 3 } == [3, 5])
    #expect(try database.keys { Condition("title = \(text)") || $0.id == 1 } == [1])

    let titles = try database.read { db in
      try Volume.where("length(title) > \(least)").order { $0.id }.fetchValues(in: db) { $0.title }
    }
    #expect(titles == ["emma_2", "Ulysses", "Walden"])
  }

  @Test func `a query throws if it compares a column with a value that SQLite cannot store`() throws
  {
    let database = try Volume.library()
    let error = #expect(throws: StorageError.self) { try database.keys { $0.price > .nan } }
    #expect(error?.code == .encodingFailed)
  }

  struct Copy: TableRecord {
    var id: Int64?
    var bookID: Int64
    static let table = Table(
      "copy", Copy.init, Column("id", \.id).primaryKey(), Column("book_id", \.bookID))
  }

  @Test func `a subquery in a condition can refer to a column of the outer query`() throws {
    let database = try Database.inMemory()
    let found = try database.write { db in
      try Book.table.insertAll(["Dune", "Emma"].map { Book(title: $0) }, in: db)
      // A copy with the id of the first book that refers to the second book.
      try Copy.table.insert(Copy(id: 1, bookID: 2), in: db)
      return try Book.where { book in
        book.id.isIn(Copy.where { copy in copy.bookID == book.id }.select { $0.bookID })
      }
      .fetchValues(in: db) { $0.title }
    }
    #expect(found == ["Emma"])
  }

  @Test func `text conditions also compare the characters after a NUL character`() throws {
    let database = try Volume.library([
      Volume(id: 1, title: "ab", rating: 1), Volume(id: 2, title: "ab\0cd", rating: 1),
      Volume(id: 3, title: "AB\0CD", rating: 1), Volume(id: 4, title: "\0", rating: 1),
    ])

    #expect(try database.keys { $0.title.hasPrefix("ab") } == [1, 2])
    #expect(try database.keys { $0.title.hasPrefix("ab\0") } == [2])
    #expect(try database.keys { $0.title.hasPrefix("ab\0z") } == [])
    #expect(try database.keys { $0.title.hasPrefix("\0") } == [4])
    #expect(try database.keys { $0.title.hasPrefix("ab\0c", ignoringCase: true) } == [2, 3])
    #expect(try database.keys { $0.title.hasSuffix("b") } == [1])
    #expect(try database.keys { $0.title.hasSuffix("d") } == [2])
    #expect(try database.keys { $0.title.hasSuffix("b\0cd") } == [2])
    #expect(try database.keys { $0.title.hasSuffix("\0cd", ignoringCase: true) } == [2, 3])
    #expect(try database.keys { $0.title.hasSuffix("longer than ab\0cd") } == [])
    #expect(try database.keys { $0.title.contains("cd") } == [2])
    #expect(try database.keys { $0.title.contains("\0") } == [2, 3, 4])
    #expect(try database.keys { $0.title.contains("B\0c", ignoringCase: true) } == [2, 3])
  }

  @Test(arguments: ["UTF-8", "UTF-16le"])
  func `prefix, suffix and substring conditions support UTF-16 databases and empty arguments`(
    encoding: String
  ) throws {
    let database = try Database.inMemory()
    let keys = try database.write { db in
      try db.execute(SQL(unchecked: "PRAGMA encoding = '\(encoding)'"))
      try Volume.table.insertAll(
        [
          Volume(id: 1, title: "Café", rating: 1, note: "𝄞 clef"),
          Volume(id: 2, title: "Über\0all", rating: 1),
        ], in: db)
      let conditions: [(Columns<Volume>) -> Condition] = [
        { $0.title.hasSuffix("é") }, { $0.title.hasSuffix("") }, { $0.note.hasSuffix("") },
        { $0.note.contains("") }, { $0.note.hasPrefix("", ignoringCase: true) },
        { $0.title.hasPrefix("Ü") }, { $0.title.contains("r\0a") }, { $0.note.hasPrefix("𝄞") },
        { $0.title.hasSuffix("\0ALL", ignoringCase: true) },
        { $0.note.hasSuffix("", ignoringCase: true) },
      ]
      #expect(try db.fetchValue("PRAGMA encoding", as: String.self) == encoding)
      return try conditions.map { condition in
        try Volume.where(condition).order { $0.id }.fetchKeys(in: db)
      }
    }
    #expect(keys == [[1], [1, 2], [1], [1], [1], [2], [2], [1], [2], [1]])
  }

  @Test
  func `in a condition, an expression that evaluates to NULL is unequal to every other value`()
    throws
  {
    let database = try Volume.library()
    // A division by zero is NULL, although its Swift type is not optional.
    #expect(try database.keys { $0.rating / ($0.rating - 4) != 3 } == [1, 2, 3, 4, 5])
    #expect(try database.keys { $0.rating / ($0.rating - 4) == 5 } == [1])
    #expect(try database.keys { $0.rating / ($0.rating - 4) != 5 } == [2, 3, 4, 5])
    #expect(try database.keys { !($0.rating / ($0.rating - 4) == 5) } == [2, 3, 4, 5])
    #expect(try database.keys { ($0.rating / ($0.rating - 4)).isNotIn([5, -3]) } == [2, 3, 4])
    #expect(try database.keys { !($0.rating / ($0.rating - 4)).isIn([5, -3]) } == [2, 3, 4])
    #expect(try database.keys { ($0.rating / ($0.rating - 4)).isNotIn([]) } == [1, 2, 3, 4, 5])
  }

  @Test
  func `if a left join finds no match, != and isNotIn hold for the columns of the right table`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try Author.table.insertAll([Author(name: "Ada"), Author(name: "Bob")], in: db)
      try Book.table.insert(Book(id: 1, title: "Dune"), in: db)
    }

    try database.read { db in
      let joined = Author.leftJoin(Book.all) { $0.id == $1.id }
      try #expect(joined.where { $1.title != "Emma" }.fetchCount(in: db) == 2)
      try #expect(joined.where { $1.title != "Dune" }.fetchAll(in: db).map(\.0.name) == ["Bob"])
      try #expect(joined.where { $1.title.isNotIn(["Dune"]) }.fetchCount(in: db) == 1)
    }
  }

  @Test
  func `conditions that ignore case support all scripts and the Unicode normal forms C and D`()
    throws
  {
    let titles = [
      "\u{c9}den", "e\u{301}DEN", "STRASSE", "Stra\u{df}e", "\u{39f}\u{394}\u{39f}\u{3a3}",
      "\u{3bf}\u{3b4}\u{3cc}\u{3c2}", "\u{416}\u{438}\u{437}\u{43d}\u{44c}", "I\u{131}",
      "ab\0\u{c9}\0", "数据", "",
    ]
    struct Title: TableRecord {
      var id: Int64?
      var text: String?

      static let table = Table(
        "title", Title.init, Column("id", \.id).primaryKey(), Column("text", \.text))
    }
    let database = try Database.inMemory()
    try database.write { db in
      try Title.table.insertAll(titles.map { Title(text: $0) } + [Title()], in: db)
    }
    func found(_ condition: (Columns<Title>) -> Condition) throws -> [Int64] {
      try database.read { db in
        try Title.where(condition).order { $0.id }.fetchAll(in: db).compactMap(\.id)
      }
    }

    for text in ["\u{e9}den", "\u{c9}DEN", "e\u{301}den"] {
      #expect(try found { $0.text.contains(text, ignoringCase: true) } == [1, 2])
      #expect(try found { $0.text.equals(text, ignoringCase: true) } == [1, 2])
    }
    #expect(try found { $0.text.hasPrefix("\u{c9}", ignoringCase: true) } == [1, 2])
    #expect(try found { $0.text.hasSuffix("DEN", ignoringCase: true) } == [1, 2])
    // A letter with an accent differs from the letter without it.
    #expect(try found { $0.text.hasPrefix("e", ignoringCase: true) } == [])
    #expect(try found { $0.text.equals("strasse", ignoringCase: true) } == [3, 4])
    #expect(try found { $0.text.hasSuffix("SSE", ignoringCase: true) } == [3, 4])
    // The final sigma equals the other sigmas. A letter with an accent differs.
    #expect(try found { $0.text.hasPrefix("\u{3bf}\u{3b4}", ignoringCase: true) } == [5, 6])
    #expect(try found { $0.text.hasSuffix("\u{3c3}", ignoringCase: true) } == [5, 6])
    #expect(try found { $0.text.contains("\u{418}\u{417}", ignoringCase: true) } == [7])
    // Case folding is independent of the locale: only Turkish maps "I" to "ı".
    #expect(try found { $0.text.equals("ii", ignoringCase: true) } == [])
    #expect(try found { $0.text.hasPrefix("i\u{131}", ignoringCase: true) } == [8])
    // Characters after a NUL character are compared too.
    #expect(try found { $0.text.contains("\u{e9}\0", ignoringCase: true) } == [9])
    #expect(try found { $0.text.hasSuffix("\0\u{e9}\0", ignoringCase: true) } == [9])
    #expect(try found { $0.text.hasPrefix("AB\0z", ignoringCase: true) } == [])
    #expect(try found { $0.text.equals("AB", ignoringCase: true) } == [])
    #expect(try found { $0.text.contains("据", ignoringCase: true) } == [10])
    for number in 0..<3 {
      let all = try found {
        [
          $0.text.hasPrefix("", ignoringCase: true), $0.text.hasSuffix("", ignoringCase: true),
          $0.text.contains("", ignoringCase: true),
        ][number]
      }
      #expect(all == (1...11).map(Int64.init))
    }
    #expect(try found { $0.text.caseFolded == "\u{3bf}\u{3b4}\u{3bf}\u{3c3}" } == [5])
  }

  @Test func `case folding returns the same text for any case and normal form of a character`() {
    for value in UInt32(0)...0x1_FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar)
      let folded = CaseFolding.folded(text)
      let others = [
        text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping,
        folded,
        folded.decomposedStringWithCanonicalMapping, scalar.properties.lowercaseMapping,
      ]
      let isSame = others.allSatisfy {
        Array(CaseFolding.folded($0).unicodeScalars) == Array(folded.unicodeScalars)
      }

      #expect(isSame, "U+\(String(value, radix: 16))")
    }
  }

  @Test
  func `CREATE INDEX throws if an index expression uses Undercroft's case folding function`() throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE title(text)")
      let error = #expect(throws: StorageError.self) {
        try db.execute("CREATE INDEX folded ON title(undercroft_folded(text))")
      }
      #expect(error?.message.contains("undercroft_folded") == true)
    }
  }
}
