import Foundation
import UndercroftCore
import UndercroftInspection
import UndercroftPropertyList

/// A conversion of the values that users pass to the bytes that a codec stores.
struct ValueConversion {
  /// The name of the codec, or `nil` if it is unknown.
  let codec: String?

  /// The reason why a value is refused.
  private struct Refusal: Error {
    let reason: String
    var underlying: (any Error)?
  }

  /// Decodes a value without using it, to check its format.
  private struct Anything: Decodable { init(from decoder: any Decoder) {} }

  /// Returns the bytes to store for a value.
  ///
  /// - Parameters:
  ///   - input: the value as the user passes it.
  ///   - encoding: the form of the value, or `nil` for the form that suits the codec: JSON for the
  ///     codec `json`; JSON or a property list for codecs of property lists; otherwise bytes that
  ///     are stored unchanged.
  /// - Throws: an error if the application could not decode the bytes.
  func bytes(from input: Data, as encoding: ValueEncoding?) throws -> Data {
    do {
      let bytes =
        switch encoding ?? defaultEncoding(of: input) {
        case .raw: input
        case .base64: try base64(input)
        case .text: try encoded(text: input)
        case .json: try encoded(json: input)
        }
      try check(bytes)
      return bytes
    } catch let refusal as Refusal {
      let form =
        encoding.map { "correct the value, or pass another form than \($0.rawValue)" }
        ?? "pass the form of the value"
      throw StorageError(
        .decodingFailed, "cannot store the value: \(refusal.reason)",
        suggestion: """
          \(form) with --encoding: text for plain words, json, base64 or raw; nothing was changed
          """,
        underlying: refusal.underlying)
    }
  }

  /// Whether values of the codec have a format that distinguishes them from other bytes.
  var hasFormat: Bool {
    [StringCodec().name, JSONCodec().name].contains(codec) || propertyListCodec != nil
  }

  /// Returns whether the codec can decode bytes.
  func canDecode(_ bytes: Data) -> Bool { (try? check(bytes)) != nil }

  /// Returns whether bytes begin like a value that the codec has encoded, unlike most values of
  /// other codecs.
  func isBegun(by bytes: Data) -> Bool {
    if codec == JSONCodec().name { return JSONText.isBegun(by: bytes) }
    return propertyListCodec != nil && PropertyListText.isOne(bytes)
  }

  private var propertyListCodec: PropertyListCodec? {
    [PropertyListCodec(.xml), PropertyListCodec(.binary)].first { $0.name == codec }
  }

  private func defaultEncoding(of input: Data) -> ValueEncoding {
    if codec == JSONCodec().name { return .json }
    guard propertyListCodec != nil else { return .raw }
    return PropertyListText.isOne(input) ? .raw : .json
  }

  private func base64(_ input: Data) throws -> Data {
    guard let bytes = Data(base64Encoded: input, options: .ignoreUnknownCharacters) else {
      throw Refusal(reason: "the value is not Base64")
    }
    return bytes
  }

  private func encoded(text input: Data) throws -> Data {
    guard let text = String(validating: input, as: UTF8.self) else {
      throw Refusal(reason: "the value is not text in UTF-8")
    }
    if codec == JSONCodec().name { return try JSONCodec().encode(text) }
    return try propertyListCodec?.encode(text) ?? input
  }

  private func encoded(json input: Data) throws -> Data {
    do {
      _ = try JSONCodec().decode(Anything.self, from: input)
      if let propertyListCodec {
        return try propertyListCodec.encode(try JSONCodec().decode(PlainValue.self, from: input))
      }
      guard codec == StringCodec().name else { return input }
      return try StringCodec().encode(try JSONCodec().decode(String.self, from: input))
    } catch {
      let reason =
        if let defect = JSONDefect(in: input) {
          "the value is not JSON: \(defect)"
        } else if propertyListCodec == nil {
          "the value is not JSON"
        } else {
          "the value is not JSON, or it contains null"
        }
      throw Refusal(reason: reason, underlying: error)
    }
  }

  /// Checks that the codec can decode bytes.
  private func check(_ bytes: Data) throws {
    do {
      if codec == StringCodec().name {
        _ = try StringCodec().decode(String.self, from: bytes)
      } else if codec == JSONCodec().name {
        _ = try JSONCodec().decode(Anything.self, from: bytes)
        try checkStrings(ofJSON: bytes)
      } else if let propertyListCodec {
        _ = try propertyListCodec.decode(Anything.self, from: bytes)
        try checkValues(ofList: bytes)
      }
    } catch {
      let defect = codec == JSONCodec().name ? JSONDefect(in: bytes) : nil
      throw Refusal(
        reason: "the codec \(quoted(codec ?? "")) of the store cannot decode the value"
          + (defect.map { ": \($0)" } ?? ""),
        underlying: error)
    }
  }

  /// Checks the strings of JSON, of which the codec decodes only those that a type requests.
  private func checkStrings(ofJSON bytes: Data) throws {
    let text = try JSONCodec.readable(bytes).text
    guard JSONText.isValid(text.withoutByteOrderMark) else {
      throw StorageError(.decodingFailed, "a string of the JSON is not valid")
    }
  }

  /// Checks the values of a property list, of which the codec decodes only those that a type
  /// requests.
  private func checkValues(ofList bytes: Data) throws {
    guard PropertyListDocument.isDocument(bytes) else { return }
    for event in PropertyListTree(try PropertyListDocument(bytes)) {
      if case .unreadable(let error) = event.kind { throw error }
    }
  }
}
