import Foundation
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync
import UndercroftTesting

@Suite struct RowConditionTests {
  private static let values: [SyncValue] = [
    .null, .integer(0), .integer(-1), .integer(.max), .integer(.min), .integer(1 << 53),
    .integer((1 << 53) + 1), .real(0), .real(-0.0), .real(0.5), .real(-0.5), .real(0x1p53),
    .real(0x1p63), .real(-0x1p63), .real(.infinity), .real(-.infinity), .text(""), .text("a"),
    .text("B"), .text("b"), .text("é"), .text("a\0"), .text("2026-10-01"), .blob(Data()),
    .blob(Data([0])), .blob(Data([255])), .malformedText(Data([0xFF])),
  ]

  @Test func `a row condition compares values in the same way as SQLite`() throws {
    let database = try Database.inMemory()
    let operators: [RowCondition.Comparison: SQL] = [
      .equal: "IS", .notEqual: "IS NOT", .less: "<", .lessOrEqual: "<=", .greater: ">",
      .greaterOrEqual: ">=",
    ]

    for (comparison, symbol) in operators {
      for column in Self.values {
        for value in Self.values {
          let expected: Bool = try database.fetchValue(
            "SELECT coalesce(\(Self.sql(column)) \(symbol) \(Self.sql(value)), 0)")
          let condition = RowCondition.column("due", comparison, value)
          #expect(
            condition.matches(["due": column], "b1") == expected,
            "\(column) \(comparison.rawValue) \(value)")
        }
      }
    }
  }

  private static func sql(_ value: SyncValue) -> SQL {
    switch value {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): "\(text)"
    case .malformedText(let bytes): "CAST(\(bytes) AS TEXT)"
    case .blob(let bytes): "\(bytes)"
    // No row of an application contains such a value.
    case .encrypted: "NULL"
    }
  }

  @Test func `a row condition treats a column that the row does not have as NULL`() {
    #expect(RowCondition.column("due", .equal, .null).matches([:], "b1"))
    #expect(!RowCondition.column("due", .less, .integer(9)).matches([:], "b1"))
    #expect(RowCondition.column("due", .notEqual, .integer(9)).matches([:], "b1"))
  }

  @Test func `the row conditions all, any and not combine other conditions like AND, OR and NOT`() {
    let row: FieldValues = ["due": .integer(5)]
    let (yes, no) = (
      RowCondition.column("due", .less, .integer(9)), RowCondition.identifiers(["b2"])
    )

    #expect(RowCondition.all([]).matches(row, "b1"))
    #expect(!RowCondition.any([]).matches(row, "b1"))
    #expect(RowCondition.all([yes, .not(no)]).matches(row, "b1"))
    #expect(!RowCondition.all([yes, no]).matches(row, "b1"))
    #expect(RowCondition.any([no, yes]).matches(row, "b1"))
    #expect(RowCondition.any([no, .not(yes)]).matches(row, "b2"))
  }

  @Test(
    arguments: [
      .all([]), .any([.column("due", .notEqual, .null), .identifiers(["b2", "b1"])]),
      .not(.all([.column("due", .greaterOrEqual, .real(.infinity)), .identifiers([])])),
      .column("isbn", .equal, .blob(Data([1]))),
    ] as [RowCondition])
  func `decoding an encoded row condition returns an equal condition`(condition: RowCondition)
    throws
  {
    let packet = SampleMessages.batch(RowSelection(condition, identifiers: ["b1"]))

    #expect(try SyncPacket(decoding: packet.encoded()) == packet)
  }

  @Test(arguments: [
    #"{}"#, #"{"column":"due"}"#, #"{"column":"due","is":"~","value":1}"#, #"{"xor":[]}"#,
    #"{"and":{}}"#, #"{"and":[7]}"#, #"{"ids":[""]}"#, #"{"not":[]}"#,
    #"{"column":"due","is":"<","value":1,"collate":"nocase"}"#,
    #"{"and":[],"or":[]}"#,
  ])
  func `decoding an unknown or malformed row condition throws an error`(json: String) throws {
    let packet = try SampleMessages.batch(RowSelection(.all([]))).encoded()
    let text = String(decoding: packet, as: UTF8.self)
      .replacing(#""where":{"and":[]}"#, with: #""where":"# + json)

    #expect(text.contains(json))
    #expect(throws: StorageError.self) { try SyncPacket(decoding: Data(text.utf8)) }
  }

  @Test func `decoding a row condition that is nested too deeply throws tooLarge`() throws {
    var condition = RowCondition.all([])
    for _ in 0..<8 { condition = .not(condition) }
    let packet = try SampleMessages.batch(RowSelection(condition)).encoded()

    let error = #expect(throws: StorageError.self) { try SyncPacket(decoding: packet) }

    #expect(error?.code == .tooLarge)
  }
}
