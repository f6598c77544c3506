import UndercroftInspection

/// Texts that are dangerous in markup, on a terminal or in a label.
let hostileTexts = [
  "<script>alert(1)</script>", "\"><svg onload='x'>", "]]>", "&lt;&#0;", "a\\b%c`d`{e}|f;g#h;",
  "\u{202e}nuaol\u{2066}", "\u{0}\u{7}\u{1b}[31m\r\n\t\u{7f}\u{85}", "\u{fffe}\u{ffff}\u{feff}",
  "<\u{338}&\u{301}\"\u{20dd}", "", String(repeating: "e\u{301}", count: 5000),
  String(repeating: "図書館", count: 500), "-->", "</style></title>", "%%{init: {}}%%",
]

/// Numbers at the limits of their type.
let extremeNumbers: [Double] = [
  0, -0.0, -1, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
  .leastNonzeroMagnitude, .leastNormalMagnitude, 1e15, 1e16, 9.995, 0.004, 1e-10,
]

/// All hostile texts, with all extreme numbers.
let hostileValues: [ChartValue] = hostileTexts.flatMap { text in
  extremeNumbers.map { ChartValue(text, $0) }
}

/// A source of random numbers that are the same in each run.
struct SampleNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    // A xorshift generator must not start with zero.
    if state == 0 { state = 0x2545_f491_4f6c_dd1d }
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

extension EntityDiagram {
  /// A diagram of two tables and a foreign key.
  static let small = EntityDiagram(
    title: "Library",
    tables: [
      Table("loan", [Column("book_id", "INTEGER")]),
      Table("book", [Column("id", "TEXT", isPrimaryKey: true)]),
    ],
    references: [Reference(from: "loan", ["book_id"], to: "book")])

  /// The diagram of a lending library with a cycle, a self reference and an isolated table.
  static let library = EntityDiagram(
    title: "Lending library",
    tables: [
      Table(
        "loan",
        [
          Column("id", "INTEGER", isPrimaryKey: true), Column("book_id", "INTEGER"),
          Column("due day", "DECIMAL(10,2)"),
        ]),
      Table(
        "book",
        [
          Column("id", "INTEGER", isPrimaryKey: true), Column("isbn", "TEXT", isUnique: true),
          Column("sequel_of"),
        ]),
      Table("shelf", []),
    ],
    references: [
      Reference(from: "loan", ["book_id"], to: "Book", ["id"]),
      Reference(from: "book", ["sequel_of"], to: "book", isInferred: true, isOptional: true),
      Reference(from: "loan", ["id"], to: "member", ["id"]),
    ])

  /// Returns a schema with random columns and references, which contain cycles.
  static func random(tableCount: Int, seed: UInt64) -> EntityDiagram {
    var numbers = SampleNumbers(seed: seed)
    let tables = (0..<tableCount).map { index in
      Table(
        String(repeating: "t", count: Int.random(in: 1...30, using: &numbers)) + "\(index)",
        (0..<Int.random(in: 0...70, using: &numbers)).map { column in
          Column("column_\(column)", column % 3 == 0 ? "INTEGER" : "", isPrimaryKey: column == 0)
        })
    }
    let references = (0..<Int.random(in: 0...(2 * tableCount), using: &numbers)).compactMap { _ in
      if let source = tables.randomElement(using: &numbers),
        let target = tables.randomElement(using: &numbers)
      {
        Reference(
          from: source.name, ["column_1"], to: target.name,
          isInferred: Bool.random(using: &numbers), isOptional: Bool.random(using: &numbers))
      } else {
        nil
      }
    }
    return EntityDiagram(title: "Random", tables: tables, references: references)
  }
}
