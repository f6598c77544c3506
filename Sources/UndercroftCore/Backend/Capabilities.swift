/// What a backend promises beyond reading, applying and listing.
///
/// The conformance suite reads these and asserts either the promise or the declared lesser behaviour.
public struct Capabilities: OptionSet, Sendable, Hashable {
  /// One bit a promise.
  public let rawValue: UInt32

  /// Makes a set from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Values survive closing and reopening.
  public static let persistent = Capabilities(rawValue: 1 << 0)
  /// No file holds a name or a value that can be read without the key.
  public static let confidential = Capabilities(rawValue: 1 << 1)
  /// A failing batch leaves no trace.
  public static let atomicBatches = Capabilities(rawValue: 1 << 2)
  /// A process killed at any moment leaves no half batch and loses nothing acknowledged.
  public static let crashSafe = Capabilities(rawValue: 1 << 3)
  /// Several processes may use the store at once, each seeing the others' writes; the backend is an ``ExclusiveAccessBackend``.
  public static let sharedAcrossProcesses = Capabilities(rawValue: 1 << 4)
  /// Keys are listed in the order of their UTF-8 bytes.
  public static let orderedKeys = Capabilities(rawValue: 1 << 5)
  /// Values can be read and written in chunks; the backend is a ``StreamingBackend``.
  public static let streaming = Capabilities(rawValue: 1 << 6)
  /// Rows can be queried; the backend offers a relational door.
  public static let relational = Capabilities(rawValue: 1 << 7)
  /// The backend is ``Inspectable``.
  public static let inspectable = Capabilities(rawValue: 1 << 8)
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
