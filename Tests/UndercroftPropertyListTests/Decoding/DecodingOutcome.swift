import Foundation
import UndercroftPropertyList

/// The result of decoding a value: the value, or the parts of an error that messages use.
enum DecodingOutcome<Value: Equatable>: Equatable, CustomStringConvertible {
  case value(Value)
  case failure(kind: String, path: [String], type: String)

  /// Decodes a value with the reader of this package.
  static func ours(_ bytes: Data) -> DecodingOutcome where Value: Decodable {
    DecodingOutcome {
      let document = try PropertyListDocument(bytes)
      _ = try document.nestingDepth()
      return try document.decode(Value.self)
    }
  }

  /// Decodes a value with Foundation's decoder.
  static func foundation(_ bytes: Data) -> DecodingOutcome where Value: Decodable {
    DecodingOutcome { try PropertyListDecoder().decode(Value.self, from: bytes) }
  }

  /// Runs `body` and creates its outcome.
  init(_ body: () throws -> Value) {
    do {
      self = .value(try body())
    } catch DecodingError.keyNotFound(let key, let context) {
      self.init("missing", context.codingPath + [key], nil)
    } catch DecodingError.valueNotFound(let type, let context) {
      self.init("null", context.codingPath, type)
    } catch DecodingError.typeMismatch(let type, let context) {
      self.init("type", context.codingPath, type)
    } catch DecodingError.dataCorrupted(let context) {
      self.init("damaged", context.codingPath, nil)
    } catch is PropertyListError {
      self.init("damaged", [], nil)
    } catch {
      self.init("other", [], Swift.type(of: error))
    }
  }

  private init(_ kind: String, _ path: [any CodingKey], _ type: Any.Type?) {
    self = .failure(
      kind: kind, path: path.map { "\($0.stringValue)|\($0.intValue ?? -1)" },
      type: type.map { "\($0)" } ?? "")
  }

  var isValue: Bool { if case .value = self { true } else { false } }

  var description: String {
    switch self {
    case .value(let value): "\(value)"
    case .failure(let kind, let path, let type): "failure: \(kind) \(type) at \(path)"
    }
  }
}

/// The formats in which Foundation writes property lists.
enum WrittenFormat: CaseIterable {
  case binary, xml

  func encode(_ value: some Encodable) throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = self == .binary ? .binary : .xml
    return try encoder.encode(value)
  }
}

/// A type that stores its decoder.
struct StoredDecoder: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) throws { self.decoder = decoder }
}
