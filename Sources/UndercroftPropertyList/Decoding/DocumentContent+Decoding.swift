import UndercroftFoundation

extension PropertyListDocument.Content {
  /// The maximum length of a key that is compared byte by byte.
  private static let maximumKeyLength = 255

  /// Returns the place of a key, or `nil` if the key is a string but not a short ASCII text.
  func keyText(at number: Int) throws(PropertyListError) -> KeyText? {
    switch self {
    case .binary(let list):
      try list.keyText(at: number, maximumLength: Self.maximumKeyLength)
    case .xml(let list): try list.keyText(at: number, maximumLength: Self.maximumKeyLength)
    }
  }

  /// Calls `body` with the bytes in which the places of keys are.
  func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    switch self {
    case .binary(let list): list.bytes.withUnsafeBytes(body)
    case .xml(let list): list.bytes.withUnsafeBytes(body)
    }
  }
}
