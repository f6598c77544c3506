import Foundation
import Testing
import UndercroftPropertyList
import UndercroftTesting

/// Tests that random values which Foundation wrote are decoded as Foundation decodes them.
@Suite struct RandomValueTests {
  @Test(arguments: WrittenFormat.allCases, 1...8)
  func `a random value is decoded as it was encoded`(format: WrittenFormat, seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for round in 0..<60 {
      let value = ["value": AnyValue.random(depth: 5, format: format, using: &random)]
      let bytes = try format.encode(value)

      let outcome = DecodingOutcome<[String: AnyValue]>.ours(bytes)

      #expect(outcome == .value(value), "round \(round)")
      // Foundation reads a date before the year 0 as one after it.
      if format == .binary { #expect(outcome == .foundation(bytes), "round \(round)") }
    }
  }

  /// A type with the shape of random values, but with fields.
  private struct Record: Codable, Equatable {
    var title: String
    var pages: Int?
    var price: Double?
    var lent: Date?
    var cover: Data?
    var tags: [String]
    var copies: [String: [Int16]]
    var next: [Record]

    static func random(depth: Int, using random: inout some RandomNumberGenerator) -> Record {
      var record = Record(
        title: "Title \(Int.random(in: 0...9, using: &random))", tags: [], copies: [:], next: [])
      if Bool.random(using: &random) { record.pages = Int.random(in: -5...70_000, using: &random) }
      if Bool.random(using: &random) { record.price = Double.random(in: -1...1e6, using: &random) }
      if Bool.random(using: &random) {
        let seconds = Double.random(in: 0...1e9, using: &random).rounded()
        record.lent = Date(timeIntervalSinceReferenceDate: seconds)
      }
      if Bool.random(using: &random) {
        record.cover = Data([UInt8.random(in: 0...255, using: &random)])
      }
      for tag in ["novel", "long", "\u{e9}"] where Bool.random(using: &random) {
        record.tags.append(tag)
      }
      record.copies = ["a": [.min], "b": [1, Int16.random(in: -1...1, using: &random)]]
      let count = depth > 0 ? Int.random(in: 0...3, using: &random) : 0
      for _ in 0..<count { record.next.append(Record.random(depth: depth - 1, using: &random)) }
      return record
    }
  }

  @Test(arguments: WrittenFormat.allCases, 1...4)
  func `a random record is decoded as it was encoded`(format: WrittenFormat, seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<30 {
      let record = Record.random(depth: 4, using: &random)
      let bytes = try format.encode(record)

      let outcome = DecodingOutcome<Record>.ours(bytes)

      #expect(outcome == .value(record))
      #expect(outcome == .foundation(bytes))
    }
  }
}
