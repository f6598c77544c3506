#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Another database file whose tables are seen under a name of its own: `archive.book`.
public struct Attachment: Sendable, Hashable {
  /// The file; made if it is missing and may be written.
  public let location: URL
  /// What stands before the names of its tables.
  public let name: String

  /// Makes an attachment.
  public init(_ location: URL, as name: String) {
    self.location = location
    self.name = name
  }
}
