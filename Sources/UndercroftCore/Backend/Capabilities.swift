/// The guarantees of a backend beyond reading values, applying batches and listing names.
///
/// The conformance tests verify each declared capability. For a capability that is not declared,
/// the tests verify the weaker behaviour that is documented for backends without it.
public struct Capabilities: OptionSet, Sendable, Hashable {
  /// The bit mask, with one bit for each capability.
  public let rawValue: UInt32

  /// Creates a set from a bit mask.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Values persist after the store is closed and reopened.
  public static let persistent = Capabilities(rawValue: 1 << 0)
  /// No file contains a name or a value that can be read without the encryption key.
  public static let confidential = Capabilities(rawValue: 1 << 1)
  /// A batch that fails changes nothing.
  public static let atomicBatches = Capabilities(rawValue: 1 << 2)
  /// A process that is killed at any time leaves no partial batch and loses no acknowledged write.
  public static let crashSafe = Capabilities(rawValue: 1 << 3)
  /// Several processes can use the store at the same time,
  /// and each process reads the writes of all processes.
  ///
  /// Such a backend conforms to ``ExclusiveAccessBackend``.
  public static let sharedAcrossProcesses = Capabilities(rawValue: 1 << 4)
  /// ``StorageBackend/keys(withPrefix:)`` returns names in the order of their UTF-8 bytes.
  public static let orderedKeys = Capabilities(rawValue: 1 << 5)
  /// Values can be read and written in chunks; such a backend conforms to ``StreamingBackend``.
  public static let streaming = Capabilities(rawValue: 1 << 6)
  /// The backend stores rows that can be queried, in the tables of a relational database.
  public static let relational = Capabilities(rawValue: 1 << 7)
  /// The backend conforms to `Inspectable` of `UndercroftInspection`.
  public static let inspectable = Capabilities(rawValue: 1 << 8)

  /// The capabilities that a backend loses when a layer wraps the backend,
  /// because layers do not conform to the protocols of these capabilities.
  package static let lostInLayers: Capabilities = [.streaming, .relational, .inspectable]
}

extension Capabilities: CustomStringConvertible {
  private static let names: [(Capabilities, String)] = [
    (.persistent, "persistent"), (.confidential, "confidential"),
    (.atomicBatches, "atomicBatches"), (.crashSafe, "crashSafe"),
    (.sharedAcrossProcesses, "sharedAcrossProcesses"), (.orderedKeys, "orderedKeys"),
    (.streaming, "streaming"), (.relational, "relational"), (.inspectable, "inspectable"),
  ]

  public var description: String {
    Self.names.filter { contains($0.0) }.map { ".\($0.1)" }.joined(separator: ", ")
  }
}
