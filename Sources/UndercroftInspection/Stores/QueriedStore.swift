public import UndercroftFoundation

/// A store with the name by which SQL statements refer to it.
///
/// A store of named values is a table with the columns `name`, `value` and `bytes`. The tables of a
/// database are in a schema with the name of the store.
public struct QueriedStore: Sendable {
  /// The name of the table or schema.
  public let name: String
  /// The location of the store.
  public let url: URL
  /// The open store.
  public let store: OpenedStore

  /// Creates a description of a store.
  public init(name: String, url: URL, store: OpenedStore) {
    self.name = name
    self.url = url
    self.store = store
  }
}
