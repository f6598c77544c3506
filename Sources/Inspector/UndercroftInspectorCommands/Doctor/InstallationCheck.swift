import Foundation
import UndercroftInspection

/// The check of the program, its backends and the libraries that they use.
enum InstallationCheck {
  static func findings() -> [Finding] {
    let factories = InspectorCommand.factories
    let schemes = factories.map(\.scheme).joined(separator: ", ")
    let libraries = factories.compactMap { factory in
      factory.library.map { Finding(.ok, factory.scheme, $0) }
    }
    return [program, Finding(.ok, "backends", schemes.isEmpty ? "none" : schemes)] + libraries
      + missing
  }

  private static var program: Finding {
    let path = ProgramRun.ownPath
    let built = StoreFile(path).map { ", built \($0.modified.formatted(.iso8601))" } ?? ""
    return Finding(.ok, "program", path + built)
  }

  private static var missing: [Finding] {
    let traits = InspectorCommand.disabledTraits.map { trait in
      Finding(
        .note, "trait \(trait)", "the tool was built without this trait of the package",
        suggestion: "build the tool with --traits \(trait) to read the stores that need it")
    }
    guard InspectorCommand.queryEngine == nil else { return traits }
    return traits + [Finding(.note, "query", "the tool has no engine for SQL statements")]
  }
}
