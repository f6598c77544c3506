import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFiles

/// Tests of folders that contain files before a store is opened in the folder.
@Suite struct AdoptionTests {
  private static func files(in directory: URL) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: directory.path))
  }

  @Test(arguments: ["thesis.pdf", "Photos", "archive%"])
  func `opening a folder with unrelated files throws and leaves the folder unchanged`(name: String)
    throws
  {
    try withTemporaryDirectory { directory in
      if name == "Photos" {
        try FileManager.default.createDirectory(
          at: directory.appending(path: name), withIntermediateDirectories: false)
      } else {
        try Data("mine".utf8).write(to: directory.appending(path: name))
      }

      let error = #expect(throws: StorageError.self) { try FileBackend(in: directory) }
      #expect(error?.code == .misuse)
      #expect(error?.message.contains(name) == true)
      #expect(error?.message.contains("adoptingExistingFiles") == true)
      #expect(throws: StorageError.self) { try BackendChoice.propertyLists(in: directory).open() }

      #expect(try Self.files(in: directory) == [name])
    }
  }

  @Test
  func `opening a folder with the marker of another backend or version throws`() throws {
    try withTemporaryDirectory { directory in
      let marker = directory.appending(path: ".undercroft-files")
      for text in ["undercroft files 1\nsuffix .plist\n", "undercroft files 2\nsuffix \n"] {
        try Data(text.utf8).write(to: marker)

        #expect(throws: StorageError.self) { try FileBackend(in: directory) }
        #expect(throws: StorageError.self) {
          try FileBackend(in: directory, adoptingExistingFiles: true)
        }

        #expect(try Self.files(in: directory) == [".undercroft-files"])
      }
    }
  }

  @Test
  func `a store opened with adoptingExistingFiles reads the folder's existing files as values`()
    throws
  {
    try withTemporaryDirectory { directory in
      try Data("Dune".utf8).write(to: directory.appending(path: "loan"))
      let plists = directory.appending(path: "plists")

      let store = try FileBackend(in: directory, adoptingExistingFiles: true)
      #expect(try store.read("loan") == Data("Dune".utf8))
      #expect(try FileBackend(in: directory).keys(withPrefix: "") == ["loan"])

      try FileManager.default.createDirectory(at: plists, withIntermediateDirectories: false)
      try Data().write(to: plists.appending(path: "search.plist"))
      let lists = try BackendChoice.propertyLists(in: plists, adoptingExistingFiles: true).open()
      #expect(try lists.keys(withPrefix: "") == ["search"])
    }
  }

  /// The dot and the accent after it are one `Character` but two scalars.
  @Test
  func `listing keys ignores a hidden file whose name has a combining mark after the leading dot`()
    throws
  {
    try withTemporaryDirectory { directory in
      try Data().write(to: directory.appending(path: ".\u{301}notes"))

      try FileBackend(in: directory).apply([.set("loan", Data())])

      #expect(try FileBackend(in: directory).keys(withPrefix: "") == ["loan"])
    }
  }

  @Test func `an empty folder and a folder with only hidden files can be opened as new stores`()
    throws
  {
    try withTemporaryDirectory { directory in
      let hidden = directory.appending(path: "hidden")
      let empty = directory.appending(path: "empty")
      for location in [hidden, empty] {
        try FileManager.default.createDirectory(at: location, withIntermediateDirectories: false)
      }
      try Data().write(to: hidden.appending(path: ".directory"))
      for location in [hidden, empty] {
        try FileBackend(in: location).apply([.set("loan", Data())])
        #expect(try FileBackend(in: location).keys(withPrefix: "") == ["loan"])
      }
    }
  }

  @Test func `several FileBackend instances can create the same store concurrently`() async throws {
    try await withTemporaryDirectory { directory in
      let store = directory.appending(path: "store")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask { try FileBackend(in: store).apply([.set("loan/\(number)", Data())]) }
        }
        try await group.waitForAll()
      }

      #expect(try FileBackend(in: store).keys(withPrefix: "loan/").count == 20)
    }
  }
}
