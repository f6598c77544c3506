// swift-tools-version: 6.2

import PackageDescription

// A separate package, so that applications do not build the libraries with which the toolkit is
// compared.

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  // The packages of synchronisation over HTTP take minutes to compile, and most benchmarks do not
  // need them.
  traits: [
    .trait(
      name: "SyncHTTP", description: "The benchmarks of synchronisation over HTTP.")
  ],
  dependencies: [
    .package(
      name: "undercroft", path: "../..",
      traits: [.defaults, .trait(name: "SyncHTTP", condition: .when(traits: ["SyncHTTP"]))]),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
    .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
  ],
  targets: [
    .systemLibrary(name: "RawGDBM", providers: [.apt(["libgdbm-dev"]), .brew(["gdbm"])]),
    .systemLibrary(
      name: "RawSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        .product(name: "UndercroftCore", package: "undercroft"),
        .product(name: "Undercroft", package: "undercroft"),
        .product(name: "UndercroftGDBM", package: "undercroft"),
        .product(name: "UndercroftSQLite", package: "undercroft"),
        .product(name: "UndercroftRelational", package: "undercroft"),
        .product(name: "UndercroftMigration", package: "undercroft"),
        .product(name: "UndercroftSync", package: "undercroft"),
        .product(
          name: "UndercroftSyncHTTP", package: "undercroft",
          condition: .when(traits: ["SyncHTTP"])),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
        "RawGDBM", "RawSQLite",
      ],
      swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]),
  ]
)
