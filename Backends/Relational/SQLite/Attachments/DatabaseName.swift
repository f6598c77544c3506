#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One database of a connection: the main one, one for temporary tables, or one that is attached.
public struct DatabaseName: Sendable, Hashable {
  /// What stands before the names of its tables: "main", "temp", or the name of an attachment.
  public let name: String
  /// The file, or `nil` for a database in memory.
  public let location: URL?
}
