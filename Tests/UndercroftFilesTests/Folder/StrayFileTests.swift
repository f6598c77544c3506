import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem
import UndercroftFiles
import UndercroftInspection

/// Tests of files and folders in a store's folder that no store created, and of removed folders.
@Suite struct StrayFileTests {
  enum Stray: CaseIterable {
    case file, folder, link, pipe

    func make(at path: String) throws {
      switch self {
      case .file: try Data("stray".utf8).write(to: URL(filePath: path))
      case .folder: try #require(mkdir(path, 0o700) == 0)
      case .link: try #require(symlink("/", path) == 0)
      case .pipe: try #require(mkfifo(path, 0o600) == 0)
      }
    }
  }

  private static let cutName = String(repeating: "x", count: 200) + "%"
  private static let names = ["archive%", "photos", "Photos", "%C3%A9", cutName, "x\u{301}"]

  private static func choice(_ suffix: String, in directory: URL) -> BackendChoice {
    suffix.isEmpty ? .files(in: directory) : .propertyLists(in: directory)
  }

  private static func factory(_ suffix: String) -> StoreInspectorFactory {
    suffix.isEmpty ? .files : .propertyLists
  }

  /// Some file systems do not report the types of files with their names.
  @Test(arguments: names, [false, true])
  func `listing the keys of a store ignores files and folders that no store created`(
    name: String, hidesTypes: Bool
  )
    throws
  {
    for (stray, suffix) in Stray.allCases.flatMap({ [($0, ""), ($0, ".plist")] }) {
      // A file with a valid name is a value.
      if stray == .file, name == "photos" { continue }
      try withTemporaryDirectory { directory in
        let location = "\(stray) \(name)\(suffix)"
        let store = try Self.choice(suffix, in: directory).open()
        let long = String(repeating: "y", count: 250)
        try store.apply([.set("loan", Data("Dune".utf8)), .set(long, Data("long".utf8))])
        try stray.make(at: directory.path + "/" + name)
        if !suffix.isEmpty { try stray.make(at: directory.path + "/" + name + suffix) }
        if hidesTypes { faults_arm(Int32(FAULTS_TYPE.rawValue), 1, .max, EIO) }
        defer { _ = faults_disarm() }

        #expect(try store.keys(withPrefix: "") == ["loan", long], "\(location)")
        let inspected = try Self.factory(suffix).open(directory, .init())
        #expect(try inspected.entries(withPrefix: "").map(\.name) == ["loan", long], "\(location)")
        let again = try Self.choice(suffix, in: directory).open()
        #expect(try again.keys(withPrefix: "") == ["loan", long], "\(location)")
      }
    }
  }

  @Test(.enabled(if: geteuid() != 0, "no mode stops the superuser"))
  func `listing a store throws an error if the subfolder of a long key name is unreadable`() throws
  {
    try withTemporaryDirectory { directory in
      let store = try FileBackend(in: directory)
      try store.apply([.set(String(repeating: "x", count: 250), Data())])
      try #require(chmod(directory.path + "/" + Self.cutName, 0) == 0)
      defer { chmod(directory.path + "/" + Self.cutName, 0o700) }

      let error = #expect(throws: StorageError.self) { try store.keys(withPrefix: "") }

      #expect(error?.code == .accessDenied)
    }
  }

  @Test(arguments: ["", ".plist"], [false, true])
  func `calls of a store whose folder was removed fail with the code unavailable`(
    suffix: String, isMadeAgain: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let location = directory.appending(path: "store")
      let store = try Self.choice(suffix, in: location).open()
      try store.apply([.set("loan", Data("Dune".utf8))])
      let inspected = try Self.factory(suffix).open(location, .init())
      try FileManager.default.removeItem(at: location)
      if isMadeAgain { _ = try Self.choice(suffix, in: location).open() }

      let calls: [() throws -> Void] = [
        { _ = try store.read("loan") }, { _ = try store.keys(withPrefix: "") },
        { _ = try (store as? any StreamingBackend)?.reader(for: "loan") },
        { _ = try inspected.bytes(of: "loan") }, { _ = try inspected.entries(withPrefix: "") },
        { _ = try inspected.inspect() }, { try store.apply([.set("loan", Data())]) },
      ]
      for (number, call) in calls.enumerated() {
        let error = #expect(throws: StorageError.self, "call \(number)") { try call() }
        #expect(error?.code == .unavailable, "call \(number): \(error?.message ?? "")")
        #expect(error?.message.contains(location.path) == true, "call \(number)")
      }
    }
  }

  @Test(.heavy)
  func `calls with a key name of thousands of path components throw without a stack overflow`()
    async throws
  {
    try await onSmallStack {
      try withTemporaryDirectory { directory in
        let store = try FileBackend(in: directory)
        let name = String(repeating: "x", count: 200 * 5_000)
        let calls: [() throws -> Void] = [
          { try store.apply([.set(name, Data())]) }, { _ = try store.read(name) },
          { try store.apply([.remove(name)]) }, { _ = try store.reader(for: name) },
          { _ = try store.writer(for: name) },
          { try store.apply([.set("loan", Data()), .set(name, Data())]) },
        ]
        for (number, call) in calls.enumerated() {
          let error = #expect(throws: StorageError.self, "call \(number)") { try call() }
          #expect(error?.code == .invalidKey, "call \(number)")
          #expect(error?.message.contains("64 components") == true, "call \(number)")
        }

        #expect(try store.keys(withPrefix: "") == [])
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
            == [".undercroft-files", ".undercroft-lock"])
      }
    }
  }

  /// Creates nested folders, with names as the folders of long names have them.
  private static func makeFolders(_ count: Int, in directory: URL) throws {
    var folder = open(directory.path, O_RDONLY | O_DIRECTORY)
    defer { close(folder) }
    for _ in 0..<count {
      try #require(mkdirat(folder, cutName, 0o700) == 0)
      let inner = openat(folder, cutName, O_RDONLY | O_DIRECTORY)
      try #require(inner >= 0)
      close(folder)
      folder = inner
    }
  }

  @Test(.heavy)
  func `listing a store that contains thousands of nested folders does not overflow a small stack`()
    async throws
  {
    try await onSmallStack {
      try withTemporaryDirectory { directory in
        let store = try FileBackend(in: directory)
        try store.apply([.set("loan", Data("Dune".utf8))])
        try Self.makeFolders(5_000, in: directory)
        defer {
          // Foundation does not remove paths of this length.
          let removal = try? Process.run(
            URL(filePath: "/bin/rm"), arguments: ["-rf", directory.path + "/" + Self.cutName])
          removal?.waitUntilExit()
        }

        #expect(try store.keys(withPrefix: "") == ["loan"])
        #expect(try store.inspect().entryCount == 1)
      }
    }
  }
}
