import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command about one path or several.
///
/// The command declares the arguments for the reason that ``TargetCommand`` states.
protocol TargetsCommand: ParsableCommand {
  var paths: [String] { get }
  var access: AccessArguments { get }
}

extension TargetsCommand {
  var targets: Targets { Targets(paths: paths, access: access) }

  func validate() throws { try targets.validate() }
}

/// One path or several, and how their stores are read.
struct Targets {
  let paths: [String]
  let access: AccessArguments

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
