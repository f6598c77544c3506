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
  /// - Parameter kinds: the kinds of the stores, or no kind for all stores.
  func existingStores(of kinds: [String]) throws -> FoundTargets {
    try stores(of: kinds).existing
  }

  /// Finds the stores at the paths.
  ///
  /// - Parameters:
  ///   - kinds: the kinds of the stores, or no kind for all stores.
  ///   - includesOtherFormats: whether a path without stores is included if its format is known.
  func stores(
    of kinds: [String], orOtherFormats includesOtherFormats: Bool = false
  ) throws -> FoundTargets {
    try FoundTargets(at: paths, of: kinds, access, orOtherFormats: includesOtherFormats)
  }
}
