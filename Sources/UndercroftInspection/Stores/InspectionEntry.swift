package import UndercroftFoundation

/// One entry of a store.
public struct InspectionEntry: Sendable, Equatable {
  /// The name of the entry in the backend.
  public let name: String
  /// The size of the value in bytes, or `nil` if the size is unknown until the value is read.
  public let byteCount: Int?
  /// The bytes of the name if they are not valid UTF-8, and otherwise `nil`.
  ///
  /// ``name`` is then a spelling of the bytes, which can also be the name of another entry.
  package let nameBytes: Data?

  /// Creates an entry from its name and the size of its value.
  public init(name: String, byteCount: Int?) {
    self.init(name: name, byteCount: byteCount, nameBytes: nil)
  }

  /// Creates an entry whose name may not be text.
  package init(name: String, byteCount: Int?, nameBytes: Data?) {
    self.name = name
    self.byteCount = byteCount
    self.nameBytes = nameBytes
  }
}
