import UndercroftFoundation

/// Converts between typed values and the bytes of a
/// backend: checks names, applies codecs and limits sizes.
struct ValueCoding {
  let route: Route

  /// Returns the change that stores `value`, or a removal if it is `nil`.
  func change<Value>(keeping value: Value, for key: StorageKey<Value>) throws(StorageError)
    -> StorageChange
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
      suggestion: "keep it as .document or .blob, or route \(route.kind).withMaximumValueSize(_:)",
      backend: route.choice.name, key: name)
  }

  /// Returns the value that `bytes` encode, or the key's default value if `bytes` is `nil`.
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
      let failure = CodingFailure(error)
      let reason = (error as? StorageError)?.message ?? "\(failure)"
      throw StorageError(
        .encodingFailed, "cannot encode \(Value.self): \(reason)", backend: codec.name,
        key: key.name, underlying: failure)
    }
  }
}
