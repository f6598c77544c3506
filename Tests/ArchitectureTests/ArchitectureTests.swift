import Foundation
import Testing

/// Tests of the rules of Docs/Architecture.md that can be checked automatically.
@Suite struct ArchitectureTests {
  @Test func `the core module imports neither a backend nor a C library`() throws {
    let allowed: Set = [
      "Foundation", "UndercroftFoundation", "UndercroftPropertyList", "Synchronization", "Logging",
    ]
    let systems: Set = ["Glibc", "Musl", "Darwin", "Dispatch"]

    for file in try SourceTree.files(in: "Sources/UndercroftCore") {
      #expect(file.imports.subtracting(allowed).subtracting(systems) == [], "\(file.path)")
    }
  }

  @Test(arguments: [
    ("CSQLite", ["Backends/Relational/UndercroftSQLite/"]),
    ("CGDBM", ["Backends/GDBM/UndercroftGDBM/"]),
    ("CMessageDigest", ["Backends/Relational/UndercroftSync/"]),
    ("CPostgres", ["Backends/Relational/UndercroftSyncPostgres/"]),
    (
      "CZlib",
      [
        "Backends/Files/UndercroftFiles/", "Backends/Relational/UndercroftSyncCompression/",
      ]
    ), ("CFileSystem", ["Sources/UndercroftFileSystem/"]),
  ])
  func `each C library is imported by files of the listed folders only`(
    module: String, folders: [String]
  ) throws {
    let importers = try SourceTree.product().filter { $0.imports.contains(module) }
    for folder in folders {
      #expect(importers.contains { $0.path.hasPrefix(folder) })
    }
    #expect(
      importers.allSatisfy { importer in folders.contains { importer.path.hasPrefix($0) } })
  }

  @Test
  func `no backend module imports another, except that UndercroftGDBM imports UndercroftKeyValue`()
    throws
  {
    let backends: Set = [
      "UndercroftFiles", "UndercroftKeyValue", "UndercroftSecrets", "UndercroftSQLite",
      "UndercroftGDBM",
    ]
    // The layers over the relational engine are not backends.
    let files = try SourceTree.files(in: "Backends").filter {
      !$0.path.hasPrefix("Backends/Relational/")
        || $0.path.hasPrefix("Backends/Relational/UndercroftSQLite/")
    }
    for file in files {
      let allowed: Set = file.path.hasPrefix("Backends/GDBM/") ? ["UndercroftKeyValue"] : []
      #expect(file.imports.intersection(backends).subtracting(allowed) == [], "\(file.path)")
    }
  }

  @Test func `the synchronisation module imports no backend module except SQLite`() throws {
    let files = try SourceTree.files(in: "Backends/Relational/UndercroftSync")
    for file in files {
      let ours = file.imports.filter { $0.hasPrefix("Undercroft") }
      let allowed: Set = [
        "UndercroftCore", "UndercroftFileSystem", "UndercroftFoundation", "UndercroftInspection",
        "UndercroftSQLite",
      ]
      #expect(ours.isSubset(of: allowed), "\(file.path)")
      #expect(file.imports.isDisjoint(with: ["NIO", "NIOCore", "NIOHTTP1", "CPostgres"]))
    }
    #expect(!files.isEmpty)
    for file in try SourceTree.files(in: "Sources/Undercroft") {
      #expect(!file.imports.contains("UndercroftSync"), "\(file.path)")
    }
  }

  @Test
  func `the inspection module imports no backend, and the umbrella module does not import GDBM`()
    throws
  {
    for file in try SourceTree.files(in: "Sources/UndercroftInspection") {
      let ours = file.imports.filter { $0.hasPrefix("Undercroft") }
      let lower: Set = ["UndercroftCore", "UndercroftFoundation", "UndercroftPropertyList"]
      #expect(ours.isSubset(of: lower), "\(file.path)")
    }
    for file in try SourceTree.files(in: "Sources/Undercroft") {
      #expect(!file.imports.contains("UndercroftGDBM"), "\(file.path)")
    }
  }

  @Test func `apart from the demo, only UndercroftFoundation imports FoundationEssentials`() throws
  {
    let importers = try SourceTree.product().filter { $0.imports.contains("FoundationEssentials") }

    let others = importers.filter { !$0.path.hasPrefix("Sources/Shelf/") }

    #expect(others.map(\.path) == ["Sources/UndercroftFoundation/Exports.swift"])
  }

  @Test func `no source file of the product contains a trapping or unsafe construct`() throws {
    let traps = [
      "fatalError(", "preconditionFailure(", "precondition(", "assertionFailure(", "try!", "as!",
      "nonisolated(unsafe)", "unowned(unsafe)", ".unsafelyUnwrapped",
    ]
    for file in try SourceTree.product() {
      for line in file.code {
        for trap in traps { #expect(!line.contains(trap), "\(file.path): \(line)") }
        let unwraps = line.matches(of: /[A-Za-z0-9_\)\]]!(?:[^=]|$)/)
        let isText = line.contains("\"")
        #expect(unwraps.isEmpty || isText, "\(file.path): \(line)")
      }
    }
  }

  @Test func `no Swift file declares a C function`() throws {
    for file in try SourceTree.product() {
      #expect(!file.code.contains { $0.contains("@_silgen_name") }, "\(file.path)")
    }
  }

  @Test func `at most two types are declared @unchecked Sendable`() throws {
    let claims = try SourceTree.product().flatMap(\.code).filter {
      $0.contains("@unchecked Sendable")
    }
    #expect(claims.count <= 2)
  }

  /// The files in which a dictionary or set is allowed to have `String` keys, with the reason.
  private static let stringKeys: [String: String] = [
    // Decoded by `JSONDecoder`, which merges such keys anyway.
    "Backends/Relational/UndercroftSyncTesting/Replaying/RedactedHistory.swift":
      "the columns and fingerprints of a redacted export",
    "Backends/Relational/UndercroftSyncTesting/Replaying/RedactedHistory+Replaying.swift":
      "the fingerprints of a redacted export",
    // Names that a caller passes or receives, no two of which are canonically equivalent.
    "Sources/UndercroftCore/Gate/Gate.swift": "the names that an observer gives",
    "Sources/UndercroftCore/Gate/Gate+Listening.swift": "the names that an observer gives",
    "Backends/Relational/UndercroftSQLite/Observation/Region.swift":
      "the columns that an observer gives",
    "Backends/Relational/UndercroftSQLite/Observation/TableInterceptor.swift":
      "the tables that a caller gives",
    "Backends/Relational/UndercroftSQLite/Observation/TableChange.swift":
      "shown to a caller, not compared here",
    "Backends/Relational/UndercroftSQLite/Observation/RowChange.swift":
      "shown to a caller, not compared here",
    "Backends/Relational/UndercroftSQLite/Observation/TableWrite.swift":
      "shown to a caller, not compared here",
    "Backends/Relational/UndercroftSQLite/Values/SQL+Binding.swift":
      "values by the caller's names, found by exactly(named:)",
    "Backends/Relational/UndercroftSQLite/Values/SQLTemplate.swift":
      "values by the caller's names, found by exactly(named:)",
    "Backends/Relational/UndercroftSQLite/Engine/Statement/Statement+Names.swift":
      "values by the caller's names, found by exactly(named:)",
    "Backends/Relational/UndercroftRelational/Records/ColumnValues.swift":
      "values by the caller's names, copied to exact ones",
    "Backends/Relational/UndercroftMigration/Tools/Rebuilding/Connection+Rebuilding.swift":
      "expressions by the caller's names",
    "Backends/Relational/UndercroftMigration/Tools/Rebuilding/TableRebuilding.swift":
      "expressions by the caller's names",
    "Backends/Relational/UndercroftMigration/Tools/Splitting/TableMerge.swift":
      "handed on as expressions by a caller's names are",
    "Backends/Relational/UndercroftMigrationTesting/Verifying/MigrationTest.swift":
      "names that a test gives, and the environment",
    "Backends/Relational/UndercroftMigrationTesting/Verifying/DatabaseContents.swift":
      "names that a test gives, and numbers shown to it",
    "Backends/Relational/UndercroftMigrationTesting/Verifying/DatabaseContents+Comparing.swift":
      "names that a test gives",
    // Versions are declared in code, and two canonically equivalent versions are rejected.
    "Backends/Relational/UndercroftMigration/Migrator+Validating.swift": "versions",
    "Backends/Relational/UndercroftMigration/History/GRDBHistory.swift":
      "identifiers, which GRDB compares so",
    "Backends/Relational/UndercroftMigration/History/MigrationAdoption+GRDB.swift":
      "identifiers, which GRDB compares so",
    "Backends/Relational/UndercroftMigration/History/MigrationAdoption+CTPersistance.swift":
      "versions",
    "Backends/Relational/UndercroftMigrationTesting/Verifying/MigrationTestRun.swift": "versions",
    "Backends/Relational/UndercroftMigrationTesting/Golden/BuiltSchemas.swift": "versions",
    // Keys that are compared as Foundation's decoder compares them.
    "Sources/UndercroftPropertyList/Decoding/KeyTable.swift": "the keys of Codable types",
    "Sources/UndercroftPropertyList/Decoding/DecodedList+Values.swift":
      "the type that an error names",
    // ASCII only.
    "Backends/Relational/UndercroftSyncTesting/Checking/HistoryRun+Checking.swift":
      "the names of the simulation",
    "Backends/Relational/UndercroftSyncTesting/Checking/HistoryRun+Progress.swift":
      "the names of the simulation",
    "Backends/Relational/UndercroftSyncTesting/Checking/WriteLog.swift":
      "the names of the simulation",
    "Backends/Relational/UndercroftSyncTesting/Checking/WriteLog+Lost.swift":
      "the names of the simulation",
    "Backends/Relational/UndercroftSyncTesting/Devices/SimulatedDevice.swift":
      "the names of the simulation",
    "Backends/Relational/UndercroftSyncTesting/Devices/SimulatedDevice+Answering.swift":
      "the columns of simulated tables, and their ASCII values",
    "Backends/Relational/UndercroftSyncTesting/Devices/SimulatedDevice+Rows.swift":
      "the names of the simulation",
    "Backends/Relational/UndercroftSyncTesting/Devices/SimulatedRow.swift":
      "the names of the simulation",
    "Backends/Relational/UndercroftSyncTesting/Running/HistoryRun.swift":
      "the names of the simulation",
    "Backends/Relational/UndercroftSyncTesting/Running/SimulationCounters.swift":
      "the names of the simulation",
    "Backends/Files/UndercroftFiles/Folder/ExternalChangeFilter.swift": "escaped names of files",
    "Backends/Relational/UndercroftMigration/Schema/ShadowTables.swift": "the modules of SQLite",
    "Backends/Relational/UndercroftSQLite/Engine/Statement/PragmaSetting+Connection.swift":
      "the pragmas of SQLite",
    "Sources/Shelf/ShelfCatalogue/Import/ControlReader.swift": "the fields of Debian's file",
    "Sources/Shelf/ShelfCatalogue/Packages/Package.swift": "the fields of Debian's file",
    "Sources/Undercroft/StorageDirectories.swift": "the environment",
    "Sources/UndercroftTesting/Conformance/Checks/BackendConformance+Durability.swift":
      "names of our own",
    "Sources/UndercroftTesting/Model/StorageTrial.swift": "names of our own",
    "Sources/UndercroftCrashTesting/Check/CrashTestRun.swift": "names of models, of our own",
    "Sources/UndercroftCrashTesting/Laboratory/CrashLaboratory+Examining.swift":
      "names of models, of our own",
    "Sources/UndercroftCrashTesting/Laboratory/LaboratoryOptions.swift": "options of our own",
    "Sources/UndercroftCrashTesting/Faults/CallFault.swift": "names of system calls",
    "Sources/UndercroftCrashTesting/Faults/CallFault+Arguments.swift": "names of system calls",
    "Sources/UndercroftCrashTesting/Faults/FaultTestRun.swift": "names of system calls",
    "Sources/UndercroftCrashTesting/Faults/ContentCandidates.swift": "names of our own",
    "Sources/UndercroftCrashTesting/Faults/ContentDifference.swift": "names of our own",
    "Sources/UndercroftCrashTesting/Faults/ErrorCopies.swift": "names of our own",
    "Sources/UndercroftCrashTesting/Faults/ErrorCopy.swift": "names of our own",
    "Sources/UndercroftCrashTesting/Faults/FaultWork.swift": "names of our own",
    "Sources/UndercroftCrashTesting/Faults/FaultTally.swift": "names of system calls and codes",
    "Sources/UndercroftCrashTesting/Faults/FaultWriters.swift": "names of system calls",
    "Sources/UndercroftCrashTesting/Subject/BackendWork.swift": "names of our own",
    "Sources/UndercroftCrashTesting/Subject/BatchExpectations.swift": "names of our own",
    "Sources/UndercroftCrashTesting/Subject/CrashStep.swift": "names of our own",
    "Sources/UndercroftCrashTesting/Disk/DiskModel.swift":
      "files of the examined store, whose names are ASCII",
    "Sources/UndercroftTesting/Conformance/FileTree.swift": "shown to a test, not compared here",
    // Names of stored values, which `Storage` converts to normal form C.
    "Sources/Shelf/ShelfCatalogue/Changelogs/Changelogs.swift": "names of blobs",
    "Sources/Shelf/ShelfCatalogue/Packages/PackageDataCenter.swift": "names of blobs",
    "Sources/Shelf/ShelfCatalogue/DependencyGraph.swift": "shown to the user of the demo",
    "Sources/Shelf/ShelfCatalogue/Packages/PackageDataCenter+Questions.swift":
      "shown to the user of the demo",
    "Sources/Shelf/ShelfCatalogue/ShelfKeys.swift": "shown to the user of the demo",
  ]

  @Test
  func `dictionary keys and set elements are ExactString, not String, except in listed files`()
    throws
  {
    // Canonically equivalent strings are equal as `String`, but differ for SQLite, GDBM and file
    // systems.
    let pattern = #/\[String ?:|Set<String>|Dictionary<String\b|Key == String\b/#
    var used: Set<String> = []

    for file in try SourceTree.product() {
      let lines = file.code.filter { $0.contains(pattern) }
      if lines.isEmpty { continue }
      used.insert(file.path)
      #expect(
        Self.stringKeys[file.path] != nil,
        "\(file.path) must use ExactString, or be listed with a reason: \(lines)")
    }
    #expect(Set(Self.stringKeys.keys).subtracting(used) == [])
  }

  @Test
  func `named SQL arguments and column values are looked up with an ExactString, not a String`()
    throws
  {
    for (path, reason) in Self.stringKeys where reason.hasPrefix("values by the caller's names") {
      let file = try #require(try SourceTree.product().first { $0.path == path })
      for line in file.code {
        let isFound = line.contains(#/\bvalues\[(?!\w+\.exact\])/#)
        #expect(!isFound, "\(path) must compare the bytes of a key: \(line)")
      }
    }
  }

  @Test func `the SQLite modules compare SQL text and identifiers with isExactly, not with ==`()
    throws
  {
    // `==` and `firstIndex(of:)` compare the characters of a `String`.
    let text =
      #/\.(?:text|quotedIdentifier) [!=]= (?!option\b)|[!=]= \w+\.(?:text|quotedIdentifier)\b/#
    let place = #/firstIndex\(of: name\)/#
    for file in try SourceTree.files(in: "Backends/Relational") {
      for line in file.code {
        let isFound = line.contains(text) || line.contains(place)
        #expect(!isFound, "\(file.path) must use isExactly: \(line)")
      }
    }
  }

  @Test func `no source file of the product has more than 300 lines, and the median is at most 80`()
    throws
  {
    let counts = try SourceTree.product().map { ($0.path, $0.code.count) }
    for (path, count) in counts { #expect(count <= 300, "\(path)") }
    let sorted = counts.map(\.1).sorted()
    #expect(sorted[sorted.count / 2] <= 80)
  }

  @Test func `no target uses a testable import`() throws {
    for file in try SourceTree.files(in: "Tests") + SourceTree.product() {
      #expect(!file.hasTestableImport, "\(file.path)")
    }
  }

  @Test(arguments: [
    ("@testable import Books", true), ("#if Loans\n  @testable import Books\n#endif", true),
    ("#if A\n  #if B\n    @testable\n    import Books\n  #endif\n#endif", true),
    ("  import Books", false), ("// @testable import Books", false),
  ])
  func `a testable import is found at any indentation`(text: String, isTestable: Bool) {
    let file = SourceTree.File(path: "Loan.swift", text: text)

    #expect(file.hasTestableImport == isTestable)
  }

  @Test func `every public declaration has a documentation comment`() throws {
    let files = try SourceTree.product()
    // A protocol documents its witnesses: a protocol of this package or the standard library.
    let explained = files.reduce(into: Self.standardRequirements) {
      $0.formUnion(Self.requirements(in: $1))
    }
    for file in files {
      for (number, line) in file.lines.enumerated() {
        guard let name = Self.publicName(in: line), !explained.contains(name) else { continue }
        var above = number - 1
        while above > 0, file.lines[above].drop(while: { $0 == " " }).hasPrefix("@") { above -= 1 }
        let isExplained = above >= 0 && file.lines[above].drop { $0 == " " }.hasPrefix("///")
        #expect(isExplained, "\(file.path):\(number + 1): \(line)")
      }
    }
  }

  private static let standardRequirements: Set<String> = [
    "description", "hash", "==", "encode", "init(from", "init(stringLiteral",
    "init(stringInterpolation", "init(literalCapacity", "appendLiteral", "id", "next", "Element",
    "Failure", "makeAsyncIterator",
  ]

  private static func publicName(in line: Substring) -> String? {
    // Matching each line with an expression takes much longer than this comparison.
    guard line.drop(while: { $0 == " " }).hasPrefix("public ") else { return nil }
    let pattern =
      /^ *public (?:static |final |mutating |consuming |convenience |package\(set\) |private\(set\) |indirect )*(?:struct|class|enum|protocol|func|var|let|typealias|case) ([A-Za-z_=]+)/
    if let match = line.firstMatch(of: pattern) { return String(match.1) }
    return line.firstMatch(of: /^ *public (?:convenience )?(init\??\([A-Za-z_]*)/).map {
      String($0.1)
    }
  }

  /// Returns the names that the protocols in a file require.
  private static func requirements(in file: SourceTree.File) -> Set<String> {
    var names: Set<String> = []
    var isInside = false
    for line in file.lines {
      if line.contains("protocol "), line.contains(#/^(?:public |package )?protocol /#) {
        isInside = true
      }
      if line.hasPrefix("}") { isInside = false }
      guard isInside else { continue }
      if let match = line.firstMatch(of: /^  (?:static |mutating )*(?:func|var) ([A-Za-z_]+)/) {
        names.insert(String(match.1))
      }
    }
    return names
  }
}
