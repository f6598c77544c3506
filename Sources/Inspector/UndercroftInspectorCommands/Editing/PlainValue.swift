import Foundation
import UndercroftCore

/// A value of JSON that a property list can represent, which is every value except null.
enum PlainValue: Codable {
  case boolean(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case real(Double)
  case text(String)
  case list([PlainValue])
  /// The members of an object, which may have names that differ only in their encoding.
  case object([(Key, PlainValue)])

  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Key.self) {
      self = .object(
        try members.allKeys.map { ($0, try members.decode(PlainValue.self, forKey: $0)) })
      return
    }
    if var elements = try? decoder.unkeyedContainer() {
      var values: [PlainValue] = []
      while !elements.isAtEnd { values.append(try elements.decode(PlainValue.self)) }
      self = .list(values)
      return
    }
    let value = try decoder.singleValueContainer()
    if let boolean = try? value.decode(Bool.self) {
      self = .boolean(boolean)
    } else if let number = try? value.decode(Int64.self) {
      self = .integer(number)
    } else if let number = try? value.decode(UInt64.self) {
      self = .unsigned(number)
    } else if let number = try? value.decode(Double.self) {
      self = .real(number)
    } else {
      self = .text(try value.decode(String.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .boolean(let value): try encode(value, to: encoder)
    case .integer(let number): try encode(number, to: encoder)
    case .unsigned(let number): try encode(number, to: encoder)
    case .real(let number): try encode(number, to: encoder)
    case .text(let text): try encode(text, to: encoder)
    case .list(let values):
      var elements = encoder.unkeyedContainer()
      for value in values { try elements.encode(value) }
    case .object(let members):
      var container = encoder.container(keyedBy: Key.self)
      for (key, value) in members { try container.encode(value, forKey: key) }
    }
  }

  private func encode(_ value: some Encodable, to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
