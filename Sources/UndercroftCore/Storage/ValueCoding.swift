#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Between a typed key and a backend's bytes: names, codecs and the size guard, the same for every door.
struct ValueCoding {
  let route: Route

  /// Returns the change that keeps `value`; `nil` becomes a removal.
  func change<Value>(keeping value: Value, for key: StorageKey<Value>) throws(StorageError)
    -> Change
  {
    let name = try route.backendName(key.name)
    if let optional = value as? any OptionalValue, optional.isAbsent { return .remove(name) }
    let bytes = try encode(value, for: key)
    try checkSize(bytes.count, of: key.name)
    return .set(name, bytes)
  }

  func checkSize(_ count: Int, of name: String) throws(StorageError) {
    guard let limit = route.kind.maximumValueSize, count > limit else { return }
    throw StorageError(
      .tooLarge,
      "cannot keep a value of \(count) bytes: \(route.kind) takes at most \(limit) a value",
      cure: "keep it as .document or .blob, or route \(route.kind).limited(to:)",
      backend: route.choice.name, key: name)
  }

  /// Returns the value that `bytes` stand for, or the key's default where there are none.
  func value<Value>(of bytes: Data?, for key: StorageKey<Value>) throws(StorageError) -> Value {
    guard let bytes else { return key.defaultValue }
    return try route.decode(Value.self, from: bytes, by: key.codec, of: key.name)
  }

  private func encode<Value>(_ value: Value, for key: StorageKey<Value>) throws(StorageError)
    -> Data
  {
    let codec = key.codec ?? route.codec
    do {
      return try codec.encode(value)
    } catch {
      throw StorageError(
        .encodingFailed, "cannot encode \(Value.self): \(CodingReason.of(error))",
        backend: codec.name, key: key.name, underlying: error)
    }
  }
}

/// Says why coding failed, by path and expectation, never by the value.
enum CodingReason {
  static func of(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      "\(place(context.codingPath + [key])) is missing"
    case DecodingError.valueNotFound(let type, let context):
      "\(place(context.codingPath)) is null where \(type) is expected"
    case DecodingError.typeMismatch(let type, let context):
      "\(place(context.codingPath)) is no \(type)"
    case DecodingError.dataCorrupted(let context):
      context.codingPath.isEmpty
        ? "the bytes are not in this format"
        : "\(place(context.codingPath)) cannot be read"
    case EncodingError.invalidValue(_, let context):
      "\(place(context.codingPath)) has no form in this format"
    case let error as StorageError:
      error.message
    default:
      "\(type(of: error))"
    }
  }

  private static func place(_ keys: [any CodingKey]) -> String {
    let path = keys.map(step).joined(separator: ".")
    return path.isEmpty ? "the value" : "its field \(quoted(path))"
  }

  /// A field that the program names, or a place in an array; the key of a dictionary is part of the value, and is not told.
  private static func step(_ key: any CodingKey) -> String {
    if let place = key.intValue, key.stringValue == "Index \(place)" { return "\(place)" }
    let isField =
      Mirror(reflecting: key).displayStyle == .enum && !"\(type(of: key))".hasPrefix("_")
    return isField ? key.stringValue : "…"
  }
}
