import Foundation
import ShelfCatalogue
import TestSupport
import Testing
import Undercroft
import UndercroftSync

/// Two homes of `shelf` with the same packages, and the folder of the server of both.
struct TwoHomes {
  let directory: URL
  let first: Catalogue
  let second: Catalogue

  var server: URL { directory.appending(path: "server") }

  init(_ directory: URL) throws {
    self.directory = directory
    first = try Self.catalogue(in: directory)
    second = try Self.catalogue(in: directory)
  }

  private static func catalogue(in directory: URL) throws -> Catalogue {
    let input = try CatalogueInput(directory)
    _ = try input.run()
    return try Catalogue(input.storage)
  }

  @discardableResult
  func synchronise() async throws -> [HomeExchange] {
    try await first.synchronise(with: second, server: nil, standard: server)
  }

  /// Returns the notes on a package, first those of the first home.
  func notes(on package: String) throws -> [[String]] {
    try [first, second].map { try $0.packages(named: package).first?.notes ?? [] }
  }

  /// Returns the search saved under a title, first that of the first home.
  ///
  /// - Throws: `NotFound` if a home has no such search.
  func saved(_ title: String) throws -> [SavedSearch] {
    try [first, second].map { try $0.savedSearch(title) }
  }
}
