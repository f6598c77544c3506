import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// The arguments of commands about one path or several: the paths, and how their stores are read.
struct Targets: ParsableArguments {
  @Argument(help: .paths, completion: .file())
  var paths: [String]

  @OptionGroup var access: AccessArguments

  func validate() throws {
    for path in paths { try ValidationError.requirePath(path) }
    try access.requireSingleKey()
  }

  /// Finds the stores at the paths that exist.
  ///
  /// - Parameter kind: the kind of the stores, or `nil` for all stores.
  func existingStores(of kind: String? = nil) throws -> FoundTargets {
    try stores(of: kind).existing
  }

  /// Finds the stores at the paths.
  ///
  /// - Parameters:
  ///   - kind: the kind of the stores, or `nil` for all stores.
  ///   - includesOtherFormats: whether a path without stores is included if its format is known.
  func stores(
    of kind: String? = nil, orOtherFormats includesOtherFormats: Bool = false
  ) throws -> FoundTargets {
    try FoundTargets(at: paths, of: kind, access, orOtherFormats: includesOtherFormats)
  }
}
