public import UndercroftCore

/// An identifier of the synchronisation protocol, which is compared by its bytes.
public protocol SyncIdentifier: Hashable, Comparable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The identifier as a string that is compared by its bytes.
  var exact: ExactString { get }

  /// Creates an identifier from its text.
  init(_ text: String)
}

extension SyncIdentifier {
  /// The identifier as text.
  public var text: String { exact.text }

  public var description: String { exact.text }

  /// Creates an identifier from a literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// Returns whether the bytes of one identifier precede the bytes of another.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.exact < rhs.exact }
}

/// The identifier of a scope, the unit in which changes are ordered and access is granted.
public struct ScopeIdentifier: SyncIdentifier {
  public let exact: ExactString
  /// Creates the identifier from its text.
  public init(_ text: String) { exact = ExactString(text) }
}

/// The identifier of a replica, which is one database file in one scope.
public struct ReplicaIdentifier: SyncIdentifier {
  public let exact: ExactString
  /// Creates the identifier from its text.
  public init(_ text: String) { exact = ExactString(text) }
}

/// The identifier of an operation, which is random, or derived from a batch for a part of the
/// batch.
///
/// The identifier remains the same when the operation is sent again.
public struct OperationIdentifier: SyncIdentifier {
  public let exact: ExactString
  /// Creates the identifier from its text.
  public init(_ text: String) { exact = ExactString(text) }
}

/// The identifier of a row, which is the same on all replicas.
public struct DataIdentifier: SyncIdentifier {
  public let exact: ExactString
  /// Creates the identifier from its text.
  public init(_ text: String) { exact = ExactString(text) }
}

/// The identifier of a history of the server, which changes when the server loses changes.
public struct Epoch: SyncIdentifier {
  public let exact: ExactString
  /// Creates the identifier from its text.
  public init(_ text: String) { exact = ExactString(text) }
}

/// The identifier of a conflict, which is derived from the kind of the conflict and the operation
/// that caused it.
public struct ConflictIdentifier: SyncIdentifier {
  public let exact: ExactString
  /// Creates the identifier from its text.
  public init(_ text: String) { exact = ExactString(text) }
}
