import UndercroftRelational

/// A record with a NOCASE string as its key, in a table `WITHOUT ROWID`.
struct Word: TableRecord, Equatable {
  var text: String
  var n: Int

  static let table = Table(
    "word", Word.init,
    Column("text", \.text).primaryKey().collated("NOCASE"),
    Column("n", \.n).indexed()
  ).withoutRowID()

  static let texts = ["a", "A", "ab", "AB", "aB", "b", "B", "abx", "ABX", "é", ""]

  static func generate(_ choices: Choices) -> Word {
    Word(text: choices.pick(texts), n: choices.number(0...4))
  }
}

/// A record with a key that consists of a NOCASE string and a number.
struct Place: TableRecord, Equatable {
  var shelf: String
  var row: Int
  var n: Int?

  static let table = Table(
    "place", Place.init,
    Column("shelf", \.shelf).primaryKey().collated("NOCASE"),
    Column("row", \.row).primaryKey(),
    Column("n", \.n))

  static func generate(_ choices: Choices) -> Place {
    Place(
      shelf: choices.pick(Word.texts), row: choices.number(0...2),
      n: choices.pick([nil, 0, 1, 2]))
  }
}
