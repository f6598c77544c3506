import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem
import UndercroftFiles
import UndercroftInspection

/// Tests of files with which another user or program can replace a store's own files.
@Suite struct FolderAttackTests {
  private static let ownFiles = [".undercroft-batch", ".undercroft-files", ".undercroft-lock"]

  @Test(arguments: ownFiles, [false, true])
  func `a store throws if its marker, lock or batch file is a symbolic link, and follows no link`(
    file: String, leadsToSomething: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let location = directory.appending(path: "store")
      let victim = directory.appending(path: "victim")
      try FileBackend(in: location).apply([.set("loan", Data("Dune".utf8))])
      if leadsToSomething { try Data("keep me".utf8).write(to: victim) }
      let link = location.appending(path: file).path
      unlink(link)
      #expect(symlink(victim.path, link) == 0)

      let error = #expect(throws: StorageError.self) {
        let store = try FileBackend(in: location)
        try store.apply([.set("loan", Data("Emma".utf8)), .set("other", Data())])
      }
      #expect(error?.code == .accessDenied)
      #expect((try? Data(contentsOf: victim)) == (leadsToSomething ? Data("keep me".utf8) : nil))

      unlink(link)
      // Without its marker the folder counts as one with unrelated files.
      let isUnmarked = file == ".undercroft-files"
      let store = try FileBackend(in: location, adoptingExistingFiles: isUnmarked)
      #expect(try store.read("loan") == Data("Dune".utf8))
    }
  }

  @Test func `a symbolic link planted while the store is open does not redirect a batch`() throws {
    try withTemporaryDirectory { directory in
      let location = directory.appending(path: "store")
      let store = try FileBackend(in: location)
      try store.apply([.set("loan", Data("Dune".utf8))])
      let link = location.appending(path: ".undercroft-batch").path
      #expect(symlink(directory.appending(path: "escaped").path, link) == 0)
      #expect(throws: StorageError.self) {
        try store.apply([.set("loan", Data("Emma".utf8)), .set("other", Data())])
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["store"])

      unlink(link)
      #expect(try store.read("loan") == Data("Dune".utf8))
      #expect(try store.keys(withPrefix: "") == ["loan"])
    }
  }

  @Test func `a store whose folder was moved continues to write to the moved folder`() throws {
    try withTemporaryDirectory { directory in
      let location = directory.appending(path: "store")
      let moved = directory.appending(path: "moved")
      let other = directory.appending(path: "other")
      try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
      let store = try FileBackend(in: location)
      #expect(rename(location.path, moved.path) == 0)
      #expect(symlink(other.path, location.path) == 0)

      try store.apply([.set("loan", Data("Emma".utf8)), .set("reader", Data("Ada".utf8))])
      #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == [])
      #expect(try FileBackend(in: moved).keys(withPrefix: "") == ["loan", "reader"])
    }
  }

  @Test(arguments: [".undercroft-batch", ".undercroft-files"])
  func `opening or inspecting a store throws if its marker or batch file has a size of 15 GiB`(
    file: String
  ) throws {
    try withTemporaryDirectory { directory in
      let store = try FileBackend(in: directory)
      let path = directory.appending(path: file).path
      _ = try Descriptor(opening: path, O_RDWR | O_CREAT)
      #expect(truncate(path, 15 << 30) == 0)

      #expect(throws: StorageError.self) { try FileBackend(in: directory) }
      #expect(throws: StorageError.self) {
        try StoreInspectorFactory.files.open(directory, .init()).inspect()
      }
      if file == ".undercroft-batch" {
        #expect(throws: StorageError.self) { try store.read("loan") }
      }
    }
  }

  @Test(.heavy, arguments: ["", ".plist"])
  func `opening a store throws if its marker file is truncated or has a flipped bit`(
    suffix: String
  ) throws {
    try withTemporaryDirectory { directory in
      let choice =
        suffix.isEmpty
        ? BackendChoice.files(in: directory) : BackendChoice.propertyLists(in: directory)
      let factory =
        suffix.isEmpty ? StoreInspectorFactory.files : StoreInspectorFactory.propertyLists
      _ = try choice.open()
      let marker = directory.appending(path: ".undercroft-files")
      let sound = try Data(contentsOf: marker)
      for bytes in Damage.everyCutAndFlip(of: sound) {
        try bytes.write(to: marker)
        #expect(throws: StorageError.self, "\(Array(bytes))") { try choice.open() }
        #expect(!factory.recognises(directory))
        #expect(try Data(contentsOf: marker) == bytes)
      }
    }
  }
}
