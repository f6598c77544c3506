public import UndercroftFoundation

/// A converter between the keys and values of one kind and the names and bytes of its backend.
///
/// The converter adds the prefix of the kind to names, checks names,
/// encodes and decodes values, and limits the sizes of values.
@usableFromInline
struct RouteCoding: Sendable {
  let kind: DataKind
  let codec: any Codec
  /// The prefix of every name, or an empty string unless several kinds share the backend.
  let prefix: String
  /// The short name of the backend, for error messages.
  let backend: String

  // MARK: Names

  /// Returns the name that the backend uses for `key`: the prefix followed by the name of the key.
  func backendName<Value>(of key: StorageKey<Value>) throws(StorageError) -> String {
    try backendName(key.name, isPlain: key.isPlain)
  }

  /// Returns the name that the backend uses for `name`: the prefix followed by `name`.
  ///
  /// - Parameter isPlain: whether ``Name/isPlain(_:)`` is known to be true for the name.
  func backendName(_ name: String, isPlain: Bool) throws(StorageError) -> String {
    if isPlain, prefix.isEmpty { return name }
    return try Name.checked(name, after: prefix)
  }

  /// Returns the name of a key from its name in the backend,
  /// or `nil` if the name belongs to another kind.
  func name(ofBackendName name: String) -> String? {
    if prefix.isEmpty { return name }
    guard name.utf8.starts(with: prefix.utf8) else { return nil }
    return String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }

  // MARK: Values

  /// Returns the change that stores `value`, or the change
  /// that removes the stored value if `value` is `nil`.
  func change<Value>(
    storing value: Value, for key: StorageKey<Value>
  ) throws(StorageError) -> StorageChange {
    let name = try backendName(of: key)
    if let optional = value as? any OptionalValue, optional.isAbsent { return .remove(name) }
    let bytes = try encode(value, for: key)
    try checkSize(bytes.count, of: key.name)
    return .set(name, bytes)
  }

  /// Throws ``StorageError/Code/tooLarge`` if a value of `count` bytes exceeds the limit of the
  /// kind.
  func checkSize(_ count: Int, of name: String) throws(StorageError) {
    guard let limit = kind.maximumValueSize, count > limit else { return }
    let raising = "raise the limit with use(_, for: \(kind).withMaximumValueSize(_:))"
    throw StorageError(
      .tooLarge,
      """
      cannot store a value of \(count) bytes: the limit of the kind \(kind) is \(limit) bytes for \
      one value
      """,
      // Another kind may store a confidential value without encryption.
      suggestion: kind.requiredCapabilities.contains(.confidential) || kind == .document
        || kind == .blob
        ? raising : "save the value under a key of the kind .document or .blob, or \(raising)",
      backend: backend, key: name)
  }

  /// Returns the value that `bytes` encode, or the key's default value if `bytes` is `nil`.
  func value<Value>(of bytes: Data?, for key: StorageKey<Value>) throws(StorageError) -> Value {
    guard let bytes else { return key.defaultValue }
    return try decode(Value.self, from: bytes, by: key.codec, of: key.name)
  }

  private func encode<Value>(
    _ value: Value, for key: StorageKey<Value>
  ) throws(StorageError) -> Data {
    let codec = key.codec ?? codec
    do {
      return try codec.encode(value)
    } catch {
      let failure = CodingFailure(error)
      let cause = error as? StorageError
      let message = "cannot encode \(Value.self): \(cause?.failure ?? "\(failure)")"
      if let cause, cause.code.concernsEnvironment {
        throw cause.ofCodec(codec.name, message, key: key.name)
      }
      throw StorageError(
        .encodingFailed, message,
        suggestion: cause?.suggestion
          ?? """
          save a value that the codec \(quoted(codec.name)) can encode, or declare the StorageKey \
          with another codec
          """,
        backend: codec.name, key: key.name, underlying: failure)
    }
  }

  /// Decodes the value of a key with the key's own codec,
  /// or with the codec of this route if the key has none.
  @usableFromInline
  func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: Data, by codec: (any Codec)?, of name: String
  ) throws(StorageError) -> Value {
    do {
      return if let codec {
        try codec.decode(type, from: bytes)
      } else {
        try self.codec.decode(type, from: bytes)
      }
    } catch {
      let failure = CodingFailure(error)
      let cause = error as? StorageError
      let codec = codec ?? self.codec
      let message = "cannot decode \(type): \(cause?.failure ?? "\(failure)")"
      if let cause, cause.code.concernsEnvironment {
        throw cause.ofCodec(codec.name, message, key: name)
      }
      throw StorageError(
        .decodingFailed, message,
        suggestion: cause?.suggestion ?? failure.rejection?.suggestion ?? """
          read the value with the type that was saved, declare new properties as optionals, or \
          remove the value
          """,
        backend: codec.name, key: name, underlying: failure)
    }
  }
}

extension StorageError {
  /// Returns a copy of this error that names the codec and the key, and has another message.
  ///
  /// The code and the suggestion remain the same. The cause of the error is outside the value, such
  /// as an encryption key that is locked. A code such as ``Code/decodingFailed`` would wrongly
  /// report that the value is invalid.
  fileprivate func ofCodec(_ codec: String, _ message: String, key: String) -> StorageError {
    StorageError(
      code, message, suggestion: suggestion, backend: codec, key: key, underlying: underlying)
  }
}

extension StorageError.Code {
  /// Whether this error code reports a problem of the process or the system, and not of the value.
  ///
  /// After such an error, the same call can succeed later.
  fileprivate var concernsEnvironment: Bool {
    switch self {
    case .unavailable, .locked, .accessDenied, .insecurePermissions, .wrongKey, .full, .io,
      .interrupted:
      true
    default: false
    }
  }
}
