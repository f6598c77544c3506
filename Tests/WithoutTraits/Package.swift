// swift-tools-version: 6.2

import PackageDescription

// An application that enables no trait of the toolkit. The traits apply to all targets of a
// package, so this test needs a separate package.

let package = Package(
  name: "without-traits",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "undercroft", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "NotebookInspector",
      dependencies: [
        .product(name: "Undercroft", package: "undercroft"),
        .product(name: "UndercroftCore", package: "undercroft"),
        .product(name: "UndercroftInspection", package: "undercroft"),
        .product(name: "UndercroftInspectorCommands", package: "undercroft"),
      ],
      path: "NotebookInspector"),
    .testTarget(
      name: "WithoutTraitsTests",
      dependencies: [
        "NotebookInspector",
        .product(name: "Undercroft", package: "undercroft"),
        .product(name: "undercroft", package: "undercroft"),
        .product(name: "shelf", package: "undercroft"),
      ],
      path: "WithoutTraitsTests"),
  ]
)
