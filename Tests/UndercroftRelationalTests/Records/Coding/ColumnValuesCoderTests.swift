import Foundation
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct ColumnValuesCoderTests {
  private let encoder = ColumnValuesEncoder()
  private let decoder = ColumnValuesDecoder()

  @Test func `ColumnValuesEncoder encodes a property like a declared column of the same type`()
    throws
  {
    let card = Card()
    let values = try encoder.encode(card)
    let id = try card.id.sqlValue()

    #expect(values["id"] == id)
    #expect(values["name"] == .text("Ida"))
    #expect(values["genre"] == .text("essay"))
    #expect(values["since"] == .text("2023-11-14 22:13:20.250"))
    #expect(values["photo"] == .blob(Data([0, 255])))
    #expect(values["page"] == .text("https://example.org/ida"))
    #expect(values["fee"] == .text("12.5"))
    #expect(values["loans"] == .integer(7))
    #expect(values["ratio"] == .real(0.5))
    #expect(values["isActive"] == .integer(1))
  }

  @Test func `ColumnValuesEncoder encodes a Codable enum with raw values as its raw value`() throws
  {
    let values = try encoder.encode(Card())
    #expect(values["kind"] == .text("librarian"))
    #expect(values["shelf"] == .integer(2))
  }

  @Test func `ColumnValuesEncoder encodes an array, dictionary or struct as JSON with sorted keys`()
    throws
  {
    let values = try encoder.encode(Card())
    #expect(values["tags"] == .text(#"["b","a"]"#))
    #expect(values["counts"] == .text(#"{"a":1,"x":2}"#))
    #expect(values["address"] == .text(#"{"street":"Dune Road"}"#))
    #expect(try encoder.encode(Card(tags: []))["tags"] == .text("[]"))
  }

  @Test func `a property that is nil is encoded as NULL instead of being omitted`() throws {
    let values = try encoder.encode(Card(shelf: nil, page: nil, address: nil))
    for name in ["note", "shelf", "page", "address"] { #expect(values[name] == .null) }
    #expect(values.names.count == 16)
  }

  @Test func `ColumnValuesDecoder restores the value that ColumnValuesEncoder encoded`() throws {
    for card in [Card(), Card(shelf: nil, page: nil, note: "", tags: [], address: nil)] {
      #expect(try decoder.decode(Card.self, from: encoder.encode(card)) == card)
    }
  }

  @Test func `a subclass is encoded with the columns of its superclass and its own`() throws {
    let novel = Novel()
    (novel.title, novel.pages) = ("Dune", 412)

    let values = try encoder.encode(novel)
    #expect(values == ["title": .text("Dune"), "pages": .integer(412)])
    let back = try decoder.decode(Novel.self, from: values)
    #expect((back.title, back.pages) == ("Dune", 412))
  }

  @Test func `encoding throws if SQLite cannot store a value exactly`() {
    #expect(throws: StorageError.self) { try encoder.encode(["ratio": Double.nan]) }
    #expect(throws: StorageError.self) { try encoder.encode(["ratios": [Double.nan]]) }
    #expect(throws: StorageError.self) { try encoder.encode(["count": UInt64.max]) }
  }

  @Test func `encoding a value without named properties throws`() {
    let errors = [
      #expect(throws: StorageError.self) { try encoder.encode("Ida") },
      #expect(throws: StorageError.self) { try encoder.encode([1, 2]) },
      #expect(throws: StorageError.self) { try encoder.encode(Card.Kind.reader) },
    ]
    #expect(errors.allSatisfy { $0?.code == .misuse })
  }

  @Test func `a decoding error names the column and does not contain the value`() throws {
    var values = try encoder.encode(Card())
    values["kind"] = .text("burglar")

    let unknown = #expect(throws: StorageError.self) {
      try decoder.decode(Card.self, from: values)
    }
    #expect(unknown?.code == .decodingFailed)
    #expect(unknown?.message.contains(#""kind""#) == true)
    #expect("\(String(describing: unknown))".contains("burglar") == false)

    values["kind"] = .text("reader")
    values["address"] = .text(#"{"street":3}"#)
    let inner = #expect(throws: StorageError.self) { try decoder.decode(Card.self, from: values) }
    #expect(inner?.message.contains(#"at "street""#) == true)

    values["address"] = .text("burglar")
    let broken = #expect(throws: StorageError.self) { try decoder.decode(Card.self, from: values) }
    #expect(broken?.message.contains("the stored value is not JSON") == true)
  }

  @Test func `an encoding error names the column and the type of the record`() throws {
    struct Loan: TableRecord, Encodable {
      var id: Int64?
      var due: Date

      static let table = Table(
        "loan", Loan.init, Column("id", \.id).primaryKey(), Column("due", \.due))
    }
    let loan = Loan(due: Date(timeIntervalSince1970: .infinity))

    let errors = try Database.inMemory().write { db in
      [
        #expect(throws: StorageError.self) { try loan.insert(in: db) },
        #expect(throws: StorageError.self) { try encoder.encode(loan) },
      ]
    }

    for error in errors {
      #expect(
        error?.message.hasPrefix(#"cannot encode the column "due" of the type Loan: "#) == true)
    }
  }

  private class Work: Codable { var title = "" }

  private final class Novel: Work {
    var pages = 0

    private enum CodingKeys: String, CodingKey { case pages }

    override init() { super.init() }

    required init(from decoder: any Decoder) throws {
      pages = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .pages)
      try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(pages, forKey: .pages)
    }
  }
}
