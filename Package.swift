// swift-tools-version: 6.2

import PackageDescription

// Each target states its name, its folder and its dependencies. A target depends only on targets
// of the same or a lower layer.

let package = Package(
  name: "undercroft",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Undercroft", targets: ["Undercroft"]),
    .library(name: "UndercroftCore", targets: ["UndercroftCore"]),
    .library(name: "UndercroftCrashTesting", targets: ["UndercroftCrashTesting"]),
    .library(name: "UndercroftFiles", targets: ["UndercroftFiles"]),
    .library(name: "UndercroftGDBM", targets: ["UndercroftGDBM"]),
    .library(
      name: "UndercroftInspection",
      targets: [
        "UndercroftInspection"
      ]),
    .library(name: "UndercroftInspectorCommands", targets: ["UndercroftInspectorCommands"]),
    .library(name: "UndercroftKeyValue", targets: ["UndercroftKeyValue"]),
    .library(name: "UndercroftMigration", targets: ["UndercroftMigration"]),
    .library(name: "UndercroftMigrationTesting", targets: ["UndercroftMigrationTesting"]),
    .library(name: "UndercroftRelational", targets: ["UndercroftRelational"]),
    .library(name: "UndercroftSecrets", targets: ["UndercroftSecrets"]),
    .library(name: "UndercroftSQLite", targets: ["UndercroftSQLite"]),
    .library(name: "UndercroftSync", targets: ["UndercroftSync"]),
    .library(name: "UndercroftSyncEncryption", targets: ["UndercroftSyncEncryption"]),
    .library(name: "UndercroftSyncHTTP", targets: ["UndercroftSyncHTTP"]),
    .library(name: "UndercroftSyncPostgres", targets: ["UndercroftSyncPostgres"]),
    .library(name: "UndercroftSyncServer", targets: ["UndercroftSyncServer"]),
    .library(name: "UndercroftSyncTesting", targets: ["UndercroftSyncTesting"]),
    .library(name: "UndercroftTesting", targets: ["UndercroftTesting"]),
    .executable(name: "shelf", targets: ["ShelfCommand"]),
    .executable(name: "undercroft", targets: ["InspectorTool"]),
    .executable(name: "undercroft-sync-server", targets: ["SyncServerTool"]),
  ],
  // The sources see an enabled trait as a compilation condition of the same name.
  traits: [
    .default(enabledTraits: ["GDBM", "Secrets"]),
    .trait(
      name: "GDBM",
      description: "The tools read GDBM files. They link libgdbm and are under the GPL."),
    .trait(
      name: "Secrets",
      description:
        "UndercroftSecrets and UndercroftSyncEncryption, which need swift-crypto."),
    .trait(
      name: "SyncHTTP",
      description: "UndercroftSyncHTTP, which needs async-http-client."),
    .trait(
      name: "SyncPostgres",
      description: "UndercroftSyncPostgres, which links libpq."),
    .trait(
      name: "SyncServer",
      description: "UndercroftSyncServer and undercroft-sync-server, which need Hummingbird."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.0.0"),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.6.0"),
    // Only with the traits of synchronisation over a network.
    .package(url: "https://github.com/apple/swift-configuration.git", from: "1.0.0"),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.90.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.15.0"),
    .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.30.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.8.0"),
    .package(url: "https://github.com/vapor/jwt-kit.git", from: "5.2.0"),
  ],
  targets: [
    // C
    c("CSQLite", in: "Relational", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    // libgdbm has no pkg-config file.
    c("CGDBM", in: "GDBM", pkgConfig: nil, apt: "libgdbm-dev", brew: "gdbm"),
    c("CMessageDigest", in: "Relational", pkgConfig: "libmd", apt: "libmd-dev", brew: "libmd"),
    c("CPostgres", in: "Relational", pkgConfig: "libpq", apt: "libpq-dev", brew: "libpq"),
    c("CZlib", in: "Files", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),

    // Declares functions of the C library; links no other library.
    .systemLibrary(name: "CFileSystem", path: "Sources/CFileSystem"),

    // Core
    library("UndercroftFoundation", []),
    library("UndercroftPropertyList", ["UndercroftFoundation"]),
    library("UndercroftCore", ["UndercroftFoundation", "UndercroftPropertyList", "Logging"]),
    library(
      "UndercroftInspection",
      ["UndercroftCore", "UndercroftFoundation", "UndercroftPropertyList"]),
    library(
      "UndercroftFileSystem",
      ["UndercroftCore", "UndercroftFoundation", "UndercroftInspection", "CFileSystem"]),
    library(
      "UndercroftTesting",
      ["UndercroftCore", "UndercroftFileSystem", "UndercroftFoundation", "UndercroftInspection"]),
    library(
      "UndercroftCrashTesting", embedding: ["Faults/faults.c"],
      ["UndercroftCore", "UndercroftFileSystem", "UndercroftFoundation", "UndercroftTesting"]),

    // Backends
    backend(
      "UndercroftFiles", in: "Files", ["UndercroftFileSystem", "UndercroftInspection", "CZlib"]),
    backend(
      "UndercroftKeyValue", in: "KeyValue", ["UndercroftFileSystem", "UndercroftInspection"]),
    backend(
      "UndercroftSecrets", in: "Secrets",
      ["UndercroftFileSystem", "UndercroftInspection", "Crypto", "CryptoExtras"]),
    backend(
      "UndercroftSQLite", in: "Relational",
      ["UndercroftFileSystem", "UndercroftInspection", "CSQLite", "Logging", "Metrics"]),

    backend("UndercroftRelational", in: "Relational", ["UndercroftSQLite"]),
    backend(
      "UndercroftMigration", in: "Relational",
      ["UndercroftFileSystem", "UndercroftSQLite"]),
    backend(
      "UndercroftMigrationTesting", in: "Relational",
      ["UndercroftFileSystem", "UndercroftMigration", "UndercroftSQLite", "UndercroftTesting"]),

    // Not in the umbrella: applications that do not synchronise do not compile it.
    backend(
      "UndercroftSync", in: "Relational",
      ["CMessageDigest", "UndercroftFileSystem", "UndercroftInspection", "UndercroftSQLite"]),
    // A separate target, so that UndercroftSync compiles no cryptography other than a hash.
    backend("UndercroftSyncEncryption", in: "Relational", ["UndercroftSync", "Crypto"]),
    backend(
      "UndercroftSyncTesting", in: "Relational",
      ["UndercroftSQLite", "UndercroftSync", "UndercroftTesting"]),

    // The client and the server over HTTP compress messages.
    library(
      "UndercroftSyncCompression", in: "Backends/Relational/UndercroftSyncCompression",
      ["UndercroftFoundation", "CZlib"]),
    // The client and the server limit the time of requests.
    library(
      "UndercroftSyncTimeouts", in: "Backends/Relational/UndercroftSyncTimeouts", ["NIOCore"]),
    backend(
      "UndercroftSyncHTTP", in: "Relational",
      [
        "UndercroftSync", "UndercroftSyncCompression", "UndercroftSyncTimeouts", "AsyncHTTPClient",
        "NIOCore", "NIOHTTP1", "NIOSSL", "Logging",
      ]),
    backend(
      "UndercroftSyncPostgres", in: "Relational", ["UndercroftSync", "CPostgres", "Logging"]),
    backend(
      "UndercroftSyncServer", in: "Relational",
      [
        "UndercroftSQLite", "UndercroftSync", "UndercroftSyncCompression", "UndercroftSyncTimeouts",
        "HTTPTypes", "Hummingbird", "HummingbirdCore", "HummingbirdTLS", "JWTKit", "Logging",
        "Metrics", "NIOCore", "NIOHTTP1", "NIOSSL", "ServiceLifecycle",
      ]),

    // Under the GPL, so no other library product contains it.
    backend(
      "UndercroftGDBM", in: "GDBM",
      ["UndercroftFileSystem", "UndercroftInspection", "UndercroftKeyValue", "CGDBM"]),

    // Umbrella
    library(
      "Undercroft",
      [
        "UndercroftCore", "UndercroftFileSystem", "UndercroftFiles", "UndercroftFoundation",
        "UndercroftInspection", "UndercroftKeyValue", "UndercroftMigration",
        "UndercroftRelational", "UndercroftSecrets", "UndercroftSQLite",
      ]),

    // Tools. With the trait GDBM, they link libgdbm and are therefore under the GPL.
    library(
      "UndercroftInspectorCommands", in: "Sources/Inspector/UndercroftInspectorCommands",
      [
        "UndercroftCore", "UndercroftFileSystem", "UndercroftInspection", "UndercroftPropertyList",
        "ArgumentParser",
      ]),
    tool(
      "InspectorTool", in: "Sources/Inspector/InspectorTool",
      [
        "Undercroft", "UndercroftGDBM", "UndercroftInspection", "UndercroftInspectorCommands",
        "UndercroftSQLite", "UndercroftSync",
      ]),
    tool(
      "SyncServerTool", in: "Sources/SyncServerTool",
      [
        "UndercroftCore", "UndercroftFileSystem", "UndercroftFoundation", "UndercroftInspection",
        "UndercroftSQLite", "UndercroftSync", "UndercroftSyncPostgres", "UndercroftSyncServer",
        "ArgumentParser", "Configuration", "Logging", "Metrics", "ServiceLifecycle", "UnixSignals",
      ]),
    // The demo uses only what an application can use.
    library(
      "ShelfCatalogue", in: "Sources/Shelf/ShelfCatalogue", packageAccess: false,
      ["Undercroft", "UndercroftInspection", "UndercroftSync"]),
    tool(
      "ShelfCommand", in: "Sources/Shelf/ShelfCommand", packageAccess: false,
      [
        "ShelfCatalogue", "Undercroft", "UndercroftGDBM", "UndercroftSync", "UndercroftSyncHTTP",
        "ArgumentParser",
      ]),

    // Tests
    .target(name: "SystemCallFaults", path: "Tests/SystemCallFaults"),
    .target(name: "SanitizedMutex", path: "Tests/SanitizedMutex"),
    .target(name: "AllocatedMemory", path: "Tests/AllocatedMemory"),
    library("TestSupport", in: "Tests/TestSupport", ["Logging"]),
    // Servers as processes, and a proxy that disturbs requests. Programs use it, so it is separate
    // from TestSupport, which imports Testing.
    library(
      "NetworkTestSupport", in: "Tests/NetworkTestSupport",
      [
        "UndercroftSQLite", "UndercroftSync", "UndercroftSyncHTTP", "UndercroftTesting",
        "CPostgres",
      ]),
    library("BehaviourTrait", in: "Tests/BehaviourTrait", []),
    tool("BehaviourReport", in: "Tests/BehaviourReport", ["ArgumentParser"]),
    tests("BehaviourReportTests", ["BehaviourTrait", "BehaviourReport", "TestSupport"]),
    tool("DocumentationTool", in: "Tests/DocumentationTool", ["ArgumentParser"]),
    tests("DocumentationToolTests", ["DocumentationTool"]),
    tool(
      "KillWriter", in: "Tests/KillWriter",
      [
        "UndercroftCore", "UndercroftFileSystem", "UndercroftFiles", "UndercroftGDBM",
        "UndercroftCrashTesting", "UndercroftKeyValue", "UndercroftMigration",
        "UndercroftSecrets", "UndercroftSQLite", "UndercroftSync", "UndercroftSyncHTTP",
        "UndercroftSyncPostgres", "UndercroftTesting", "NetworkTestSupport", "AllocatedMemory",
        "SanitizedMutex", "ArgumentParser", "CSQLite",
      ]),
    // Stores that each version wrote are in Tests/FormatFixtures.
    library("FixtureLibrary", in: "Tests/FixtureLibrary", ["Undercroft", "UndercroftSync"]),
    tool(
      "FixtureMaker", in: "Tests/FixtureMaker",
      ["FixtureLibrary", "Undercroft", "UndercroftGDBM", "SystemCallFaults", "ArgumentParser"]),
    tests(
      "FormatTests", excluding: ["Golden"],
      [
        "FixtureLibrary", "Undercroft", "UndercroftCore", "UndercroftGDBM",
        "UndercroftInspection", "UndercroftSync", "SystemCallFaults", "TestSupport", "Crypto",
        "CZlib",
      ]),
    library(
      "DifferentialChecks", in: "Tests/DifferentialChecks",
      [
        "Undercroft", "UndercroftCore", "UndercroftFileSystem", "UndercroftGDBM",
        "UndercroftInspection", "UndercroftMigration", "UndercroftPropertyList",
        "UndercroftRelational", "UndercroftSQLite", "CGDBM", "CSQLite",
      ]),
    tool(
      "Nightly", in: "Tests/Nightly",
      ["DifferentialChecks", "UndercroftSQLite", "ArgumentParser"]),
    tests("DifferentialTests", ["DifferentialChecks", "Nightly", "TestSupport"]),
    library(
      "FuzzTargets", in: "Tests/FuzzTargets",
      [
        "CZlib", "ShelfCatalogue", "UndercroftCore", "UndercroftFileSystem", "UndercroftFiles",
        "UndercroftInspection", "UndercroftKeyValue", "UndercroftMigration", "UndercroftSecrets",
        "UndercroftSQLite", "Crypto",
      ]),
    tool("Fuzzer", in: "Tests/Fuzzer", ["FuzzTargets"]),
    tests("FuzzTargetsTests", ["FuzzTargets"]),
    tests(
      "UndercroftCoreTests",
      [
        "UndercroftCore", "UndercroftTesting", "BehaviourTrait", "SanitizedMutex", "TestSupport",
      ]),
    tests("ArchitectureTests", []),
    library("Paper", in: "Tests/Paper", ["UndercroftCore", "UndercroftInspection"]),
    tool(
      "PaperLaboratory", in: "Tests/PaperLaboratory",
      ["Paper", "UndercroftCore", "UndercroftCrashTesting"]),
    tool(
      "PaperKills", in: "Tests/PaperKills", ["Paper", "UndercroftCore", "UndercroftTesting"]),
    tests(
      "ReadmeTests",
      [
        "Undercroft", "UndercroftCore", "UndercroftMigrationTesting", "UndercroftSync",
        "UndercroftSyncHTTP", "UndercroftTesting", "Paper", "PaperKills", "PaperLaboratory",
        "TestSupport",
      ]),
    // Its code is isolated to the main actor by default. `Guides` is a symbolic link to
    // Tests/ReadmeTests, so the code of the guides is compiled in both isolations. The excluded
    // files concern backends and documents, not the code of an application.
    tests(
      "MainActorTests",
      excluding: [
        "Guides/CrashGuideTests.swift", "Guides/ShownCodeTests.swift",
        "Guides/TestingABackend.swift",
      ],
      [
        "Undercroft", "UndercroftMigrationTesting", "UndercroftSync", "UndercroftSyncHTTP",
        "TestSupport",
      ]),
    // Names that other frameworks export, to which those of the umbrella are compared.
    library("CommonNames", in: "Tests/CommonNames", []),
    tests("CommonNamesTests", ["CommonNames", "Undercroft", "Logging"]),
    tests(
      "ShelfTests", excluding: ["Fixtures"],
      [
        "InspectorTool", "ShelfCatalogue", "ShelfCommand", "SyncServerTool", "Undercroft",
        "UndercroftMigration", "UndercroftMigrationTesting", "UndercroftSQLite", "UndercroftSync",
        "NetworkTestSupport", "TestSupport",
      ]),
    tests(
      "UndercroftTests",
      [
        "Undercroft", "UndercroftCore", "UndercroftFileSystem", "UndercroftFiles",
        "UndercroftInspection", "UndercroftKeyValue", "UndercroftSQLite", "UndercroftSecrets",
        "UndercroftTesting", "TestSupport",
      ]),
    tests("UndercroftPropertyListTests", ["UndercroftPropertyList", "UndercroftTesting"]),
    tests(
      "UndercroftInspectionTests", excluding: ["Golden"],
      [
        "Undercroft", "UndercroftGDBM", "UndercroftInspection", "UndercroftSync", "InspectorTool",
        "KillWriter", "TestSupport",
      ]),
    tests(
      "UndercroftFileSystemTests",
      [
        "UndercroftCore", "UndercroftFileSystem", "UndercroftInspection", "SystemCallFaults",
        "TestSupport",
      ]),
    tests(
      "UndercroftTestingTests",
      [
        "UndercroftCore", "UndercroftCrashTesting", "UndercroftInspection", "UndercroftTesting",
        "KillWriter", "SyncServerTool", "AllocatedMemory", "NetworkTestSupport", "TestSupport",
      ]),
    tests("UndercroftCrashTestingTests", ["UndercroftCrashTesting"]),
    tests(
      "UndercroftFilesTests",
      [
        "UndercroftCore", "UndercroftFileSystem", "UndercroftFiles", "UndercroftInspection",
        "UndercroftTesting", "KillWriter", "SystemCallFaults", "TestSupport",
      ]),
    tests(
      "UndercroftGDBMTests", excluding: ["Fixtures"],
      [
        "UndercroftCore", "UndercroftGDBM", "UndercroftInspection", "UndercroftKeyValue",
        "UndercroftTesting", "KillWriter", "SystemCallFaults", "TestSupport",
      ]),
    tests(
      "UndercroftKeyValueTests", excluding: ["Fixtures"],
      [
        "UndercroftCore", "UndercroftFileSystem", "UndercroftInspection", "UndercroftKeyValue",
        "UndercroftTesting", "KillWriter", "SystemCallFaults", "TestSupport",
      ]),
    tests(
      "UndercroftSecretsTests", excluding: ["Fixtures"],
      [
        "UndercroftCore", "UndercroftFileSystem", "UndercroftFiles", "UndercroftInspection",
        "UndercroftKeyValue", "UndercroftSecrets", "UndercroftTesting", "SystemCallFaults",
        "TestSupport", "Crypto",
      ]),
    tests(
      "UndercroftRelationalTests",
      [
        "UndercroftCore", "UndercroftRelational", "UndercroftSQLite", "BehaviourTrait",
        "TestSupport",
      ]),
    tests(
      "UndercroftMigrationTests", excluding: ["Fixtures"],
      [
        "UndercroftCore", "UndercroftMigration", "UndercroftMigrationTesting",
        "UndercroftRelational", "UndercroftSQLite", "BehaviourTrait", "KillWriter", "TestSupport",
        "CSQLite",
      ]),
    tests(
      "UndercroftSyncTests", excluding: ["Fixtures"],
      [
        "UndercroftCore", "UndercroftFoundation", "UndercroftSQLite", "UndercroftSync",
        "UndercroftSyncTesting", "UndercroftTesting", "BehaviourTrait", "DifferentialChecks",
        "TestSupport",
      ]),
    tests(
      "UndercroftSyncEncryptionTests",
      [
        "UndercroftCore", "UndercroftSQLite", "UndercroftSync", "UndercroftSyncEncryption",
        "TestSupport",
      ]),
    tests("UndercroftSyncCompressionTests", ["UndercroftFoundation", "UndercroftSyncCompression"]),
    tests(
      "UndercroftSyncTimeoutsTests",
      ["UndercroftSyncTimeouts", "AllocatedMemory", "NIOCore", "NIOPosix", "TestSupport"]),
    tests(
      "UndercroftSyncHTTPTests",
      [
        "UndercroftCore", "UndercroftFoundation", "UndercroftSQLite", "UndercroftSync",
        "UndercroftSyncCompression", "UndercroftSyncHTTP", "NIOCore", "NIOHTTP1", "NIOPosix",
        "NIOSSL", "TestSupport",
      ]),
    tests(
      "UndercroftSyncPostgresTests",
      [
        "UndercroftCore", "UndercroftSQLite", "UndercroftSync", "UndercroftSyncHTTP",
        "UndercroftSyncPostgres", "UndercroftSyncTesting", "SyncServerTool", "CPostgres",
        "NetworkTestSupport", "TestSupport",
      ]),
    // A client of the protocol is in Python.
    tests(
      "UndercroftSyncServerTests", excluding: ["Python"],
      [
        "UndercroftCore", "UndercroftFoundation", "UndercroftSQLite", "UndercroftSync",
        "UndercroftSyncCompression", "UndercroftSyncHTTP", "UndercroftSyncPostgres",
        "UndercroftSyncServer", "SyncServerTool", "UndercroftTesting", "JWTKit", "Logging",
        "Metrics", "ServiceLifecycle", "NetworkTestSupport", "TestSupport",
      ]),
    // The executable model of the protocol is in Python.
    library(
      "SyncModel", in: "Tests/SyncModel", excluding: ["Python"],
      [
        "UndercroftCore", "UndercroftFoundation", "UndercroftSQLite", "UndercroftSync",
        "UndercroftTesting",
      ]),
    tool(
      "Simulate", in: "Tests/Simulate",
      ["SyncModel", "UndercroftSync", "UndercroftSyncTesting", "CSQLite", "ArgumentParser"]),
    tests(
      "UndercroftSyncTestingTests",
      [
        "SyncModel", "UndercroftCore", "UndercroftFoundation", "UndercroftSQLite",
        "UndercroftSync", "UndercroftSyncTesting", "TestSupport",
      ]),
    tests(
      "UndercroftSQLiteTests",
      [
        "UndercroftCore", "UndercroftInspection", "UndercroftSQLite", "UndercroftTesting",
        "BehaviourTrait", "Logging", "MetricsTestKit", "CSQLite", "SystemCallFaults", "TestSupport",
      ]),
  ]
)

// MARK: - Kinds of target

func c(_ name: String, in folder: String, pkgConfig: String?, apt: String, brew: String) -> Target {
  .systemLibrary(
    name: name, path: "Backends/\(folder)/\(name)", pkgConfig: pkgConfig,
    providers: [.apt([apt]), .brew([brew])])
}

func library(
  _ name: String, in path: String? = nil, excluding excluded: [String] = [],
  embedding files: [String] = [], packageAccess: Bool = true, _ uses: [String]
) -> Target {
  .target(
    name: name, dependencies: uses.map(dependency), path: path ?? "Sources/\(name)",
    exclude: excluded, resources: files.map { .embedInCode($0) }, packageAccess: packageAccess)
}

func backend(_ name: String, in folder: String, _ uses: [String]) -> Target {
  .target(
    name: name, dependencies: (["UndercroftCore", "UndercroftFoundation"] + uses).map(dependency),
    path: "Backends/\(folder)/\(name)")
}

func tool(
  _ name: String, in path: String? = nil, packageAccess: Bool = true, _ uses: [String]
) -> Target {
  .executableTarget(
    name: name, dependencies: uses.map(dependency), path: path ?? "Sources/\(name)",
    packageAccess: packageAccess)
}

func tests(_ name: String, excluding excluded: [String] = [], _ uses: [String]) -> Target {
  .testTarget(
    name: name, dependencies: uses.map(dependency), path: "Tests/\(name)", exclude: excluded)
}

// The conditions are stated here once. A package that uses swift-crypto in no enabled trait does
// not fetch swift-crypto.
func dependency(_ name: String) -> Target.Dependency {
  switch name {
  case "UndercroftGDBM": .target(name: name, condition: .when(traits: ["GDBM"]))
  case "UndercroftSecrets": .target(name: name, condition: .when(traits: ["Secrets"]))
  case "AsyncHTTPClient":
    .product(
      name: name, package: "async-http-client", condition: .when(traits: ["SyncHTTP"]))
  case "Hummingbird", "HummingbirdCore", "HummingbirdTLS":
    .product(name: name, package: "hummingbird", condition: .when(traits: ["SyncServer"]))
  case "NIOCore", "NIOPosix", "NIOHTTP1":
    .product(
      name: name, package: "swift-nio", condition: .when(traits: ["SyncHTTP", "SyncServer"]))
  case "NIOSSL":
    .product(
      name: name, package: "swift-nio-ssl", condition: .when(traits: ["SyncHTTP", "SyncServer"]))
  case "HTTPTypes":
    .product(name: name, package: "swift-http-types", condition: .when(traits: ["SyncServer"]))
  case "JWTKit":
    .product(name: name, package: "jwt-kit", condition: .when(traits: ["SyncServer"]))
  case "Configuration":
    .product(name: name, package: "swift-configuration", condition: .when(traits: ["SyncServer"]))
  case "ServiceLifecycle", "UnixSignals":
    .product(
      name: name, package: "swift-service-lifecycle", condition: .when(traits: ["SyncServer"]))
  case "CPostgres": .target(name: name, condition: .when(traits: ["SyncPostgres"]))
  // The systems of Apple have CryptoKit instead.
  case "CMessageDigest": .target(name: name, condition: .when(platforms: [.linux]))
  case "Logging": .product(name: name, package: "swift-log")
  case "Metrics", "MetricsTestKit": .product(name: name, package: "swift-metrics")
  case "Crypto", "CryptoExtras":
    .product(name: name, package: "swift-crypto", condition: .when(traits: ["Secrets"]))
  case "ArgumentParser": .product(name: name, package: "swift-argument-parser")
  default: .target(name: name)
  }
}

// MARK: - Compiler settings of all targets

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
  ]
}

// The setting of new applications in Xcode.
for target in package.targets where target.name == "MainActorTests" {
  target.swiftSettings?.append(.defaultIsolation(MainActor.self))
}
