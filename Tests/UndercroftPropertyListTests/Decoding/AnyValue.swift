import Foundation

/// Any value of a property list, decoded by trying one type after the other.
indirect enum AnyValue: Decodable, Equatable {
  case null
  case boolean(Bool)
  case text(String)
  /// A date as the bits of its seconds, so that NaN equals itself.
  case date(UInt64)
  case bytes(Data)
  case integer(Int64)
  case unsigned(UInt64)
  /// A real number as its bits.
  case real(UInt64)
  case list([AnyValue])
  case dictionary([String: AnyValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func value<Value: Decodable>(_ type: Value.Type) throws -> Value? {
      // A damaged value is an error, and not a value of another type.
      do { return try container.decode(type) } catch DecodingError.typeMismatch { return nil }
    }
    if container.decodeNil() {
      self = .null
    } else if let boolean = try value(Bool.self) {
      self = .boolean(boolean)
    } else if let text = try value(String.self) {
      self = .text(text)
    } else if let date = try value(Date.self) {
      self = .date(date.timeIntervalSinceReferenceDate.bitPattern)
    } else if let bytes = try value(Data.self) {
      self = .bytes(bytes)
    } else if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if let integer = try? container.decode(UInt64.self) {
      self = .unsigned(integer)
    } else if let real = try value(Double.self) {
      self = .real(real.isNaN ? Double.nan.bitPattern : real.bitPattern)
    } else if let list = try value([AnyValue].self) {
      self = .list(list)
    } else {
      self = .dictionary(try container.decode([String: AnyValue].self))
    }
  }
}

extension AnyValue: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .date(let bits):
      try container.encode(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)))
    case .bytes(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .real(let bits): try container.encode(Double(bitPattern: bits))
    case .list(let value): try container.encode(value)
    case .dictionary(let value): try container.encode(value)
    }
  }
}

extension AnyValue {
  /// Returns a random value.
  ///
  /// - Parameters:
  ///   - depth: the maximum number of containers that contain each other.
  ///   - format: the format in which the value is written; dates of XML have whole seconds.
  ///   - random: the source of randomness.
  static func random(
    depth: Int, format: WrittenFormat, using random: inout some RandomNumberGenerator
  ) -> AnyValue {
    switch Int.random(in: 0..<(depth > 0 ? 12 : 9), using: &random) {
    case 0: return .boolean(Bool.random(using: &random))
    case 1, 2: return .text(randomText(using: &random))
    case 3:
      let seconds = Double.random(in: -1e11...1e12, using: &random)
      return .date((format == .xml ? seconds.rounded() : seconds).bitPattern)
    case 4:
      let count = Int.random(in: 0...300, using: &random) / Int.random(in: 1...20, using: &random)
      return .bytes(Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }))
    case 5, 6:
      let number = Int64.random(in: Int64.min...Int64.max, using: &random)
      return .integer(number >> Int64.random(in: 0...63, using: &random))
    case 7:
      let minimum = UInt64(Int64.max) + 1
      return .unsigned(UInt64.random(in: minimum...UInt64.max, using: &random))
    case 8:
      let bits: UInt64 = random.next()
      let number = Double(bitPattern: bits)
      // Foundation's decoder also decodes a real number without a fraction as an integer.
      return .real((number.isNaN || number == number.rounded() ? 0.5 : number).bitPattern)
    case 9, 10:
      let count = Int.random(in: 0...5, using: &random)
      return .list(
        (0..<count).map { _ in AnyValue.random(depth: depth - 1, format: format, using: &random) })
    default:
      let count = Int.random(in: 0...24, using: &random) / Int.random(in: 1...8, using: &random)
      var dictionary: [String: AnyValue] = [:]
      for number in 0..<count {
        let key = randomText(using: &random) + "\(number)"
        dictionary[key] = AnyValue.random(depth: depth - 1, format: format, using: &random)
      }
      return .dictionary(dictionary)
    }
  }

  /// Returns a random text, which is not the text that encoders write for `nil`.
  private static func randomText(using random: inout some RandomNumberGenerator) -> String {
    let alphabets = [
      "abcdefgh ", "a<&>\"']]", "\t\n\r\u{0}\u{1f}", "z\u{eb}\u{301}\u{df}", "\u{56f3}\u{1f4da}",
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0...20, using: &random) / Int.random(in: 1...4, using: &random) {
      let alphabet = alphabets.randomElement(using: &random) ?? ""
      text.unicodeScalars.append(alphabet.unicodeScalars.randomElement(using: &random) ?? "?")
    }
    return text
  }
}
