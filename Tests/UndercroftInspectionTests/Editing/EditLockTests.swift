import Foundation
import Synchronization
import TestSupport
import Testing
import Undercroft
import UndercroftCore
import UndercroftGDBM

/// Tests of editing the store of an application that runs.
@Suite struct EditLockTests {
  /// The backends of all formats that the tool can edit.
  static let backends = [
    "settings", "gdbm", "files", "propertyLists", "singleFile", "sqlite", "vault",
  ]

  /// Opens a new store as an application does, with one value.
  private static func store(_ name: String, in folder: URL) throws -> any StorageBackend {
    let url = folder.appending(path: "store")
    let choice: BackendChoice =
      switch name {
      case "settings": .settings(at: url)
      case "gdbm": .gdbm(at: url)
      case "files": .files(in: url)
      case "propertyLists": .propertyLists(in: url)
      case "singleFile": .singleFile(at: url)
      case "sqlite": .sqlite(at: url)
      default: .vault(at: url, unlockedBy: .keyFile(folder.appending(path: "key")))
      }
    let store = try choice.open()
    try store.apply([.set("theme", Data("dark".utf8))])
    return store
  }

  private static func set(_ folder: URL, _ value: String, wait: String) throws -> ProgramResult {
    try Program.inspector.run([
      "set", folder.appending(path: "store").path, "theme", value, "--write", "--yes", "--no-undo",
      "--wait", wait, "--key-file", folder.appending(path: "key").path,
    ])
  }

  @Test(arguments: backends)
  func `set exits with status 75 while another process writes, and waits with --wait`(
    backend: String
  ) throws {
    try withTemporaryDirectory { folder in
      let store = try #require(
        try Self.store(backend, in: folder) as? any ExclusiveAccessBackend)
      // A lease for earlier writes ends after 5 milliseconds.
      Thread.sleep(forTimeInterval: 0.05)

      let refused = try store.withExclusiveAccess { try Self.set(folder, "light", wait: "0") }

      #expect(refused.status == 75, "\(refused.errors)")
      #expect(refused.errors.hasSuffix("; repeat the command later, or pass --wait SECONDS\n"))
      #expect(try store.read("theme") == Data("dark".utf8))

      let result = Mutex<ProgramResult?>(nil)
      let group = DispatchGroup()
      let before = try store.withExclusiveAccess {
        DispatchQueue.global().async(group: group) {
          let answer = try? Self.set(folder, "light", wait: "30")
          result.withLock { $0 = answer }
        }
        Thread.sleep(forTimeInterval: 0.3)
        return try store.read("theme")
      }
      group.wait()

      #expect(before == Data("dark".utf8))
      #expect(result.withLock { $0?.status } == 0, "\(result.withLock { $0?.errors ?? "" })")
      #expect(try store.read("theme") == Data("light".utf8))
    }
  }

  @Test(arguments: backends)
  func `set changes the store of an idle application, which reads the new value`(
    backend: String
  ) throws {
    try withTemporaryDirectory { folder in
      let store = try Self.store(backend, in: folder)

      let answer = try Self.set(folder, "light", wait: "5")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try store.read("theme") == Data("light".utf8))
      try store.apply([.set("theme", Data("blue".utf8))])
      #expect(try store.read("theme") == Data("blue".utf8))
    }
  }

  @Test func `set does not replace a GDBM file that another program has open for writing`() throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "loans.gdbm")
      // The program has the file open until its input ends.
      let tool = Process()
      let input = Pipe()
      tool.executableURL = URL(filePath: "/usr/bin/env")
      tool.arguments = ["gdbmtool", "-n", url.path]
      tool.standardInput = input
      tool.standardOutput = FileHandle.nullDevice
      try tool.run()
      try input.fileHandleForWriting.write(contentsOf: Data("store theme dark\n".utf8))
      let isReady = waitUntil {
        (try? UndercroftInspectionTests.run("get", url.path, "theme"))?.output.contains("dark")
          == true
      }
      let edit = [
        "set", url.path, "theme", "light", "--write", "--yes", "--no-undo", "--wait", "0",
      ]

      let refused = try UndercroftInspectionTests.run(edit)
      try input.fileHandleForWriting.write(contentsOf: Data("store reader Ada\n".utf8))
      try input.fileHandleForWriting.close()
      tool.waitUntilExit()
      let accepted = try UndercroftInspectionTests.run(edit)

      #expect(isReady)
      #expect(refused.status == 75, "\(refused.errors)")
      #expect(accepted.status == 0, "\(accepted.errors)")
      let names = try UndercroftInspectionTests.run("keys", url.path).output
      #expect(names.contains("reader") && names.contains("theme"))
    }
  }

  @Test func `an edit beside an application that writes continuously loses no value`() throws {
    try withTemporaryDirectory { folder in
      let store = try Self.store("settings", in: folder)
      let isDone = Mutex(false)
      let failures = Mutex<[String]>([])
      let saved = Mutex<[ExactString: Data]>([:])
      let group = DispatchGroup()
      group.enter()
      // Other tests can occupy all threads of the pool.
      Thread.detachNewThread {
        defer { group.leave() }
        var number = 0
        while !isDone.withLock({ $0 }) {
          number += 1
          do {
            let (name, value) = ("loan/\(number % 50)", Data("\(number)".utf8))
            try store.apply([.set(name, value)])
            saved.withLock { $0[ExactString(name)] = value }
          } catch {
            failures.withLock { $0.append("\(error)") }
          }
        }
      }

      // If an edit throws, the thread ends, too.
      defer { isDone.withLock { $0 = true } }
      let answers = try (0..<5).map { try Self.set(folder, "\($0)", wait: "30") }
      isDone.withLock { $0 = true }
      group.wait()

      #expect(answers.map(\.status) == [0, 0, 0, 0, 0], "\(answers.map(\.errors))")
      #expect(failures.withLock { $0 }.isEmpty)
      #expect(try store.read("theme") == Data("4".utf8))
      let expected = saved.withLock { $0 }
      #expect(!expected.isEmpty)
      for (name, value) in expected { #expect(try store.read(name.text) == value) }
    }
  }
}
