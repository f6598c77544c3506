import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftFiles
import UndercroftTesting

/// Tests of stores whose system calls fail, one after another.
@Suite(.enabled(if: faults_are_available() != 0)) struct FailingCallTests {
  struct Store: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let open: @Sendable (URL) throws -> any StorageBackend
  }

  static let stores = [
    Store(testDescription: "files") { try FileBackend(in: $0.appending(path: "store")) },
    Store(testDescription: "property lists") {
      try BackendChoice.propertyLists(in: $0.appending(path: "store")).open()
    },
    Store(testDescription: "single file") {
      try SingleFileBackend(at: $0.appending(path: "archive"))
    },
  ]

  private static let long = String(repeating: "Ä", count: 100)
  private static let old = ["author": "Le Guin", "gone": "x", "loan": "Dune", long: "old"]
  private static let new = ["author": "Lem", "loan": "Solaris", long: "new", "reader": "Ada"]
  private static let batch: [StorageChange] =
    new.map { .set($0.key, Data($0.value.utf8)) } + [.remove("gone")]

  private static func values(of store: any StorageBackend) throws -> [String: String] {
    var values: [String: String] = [:]
    for name in try store.keys(withPrefix: "") {
      values[name] = try store.read(name).map { String(decoding: $0, as: UTF8.self) } ?? "nil"
    }
    return values
  }

  private static func apply(
    _ changes: [StorageChange], to store: any StorageBackend, failing calls: faults_call,
    _ first: Int32,
    _ count: Int32, _ error: Int32
  ) -> (failure: StorageError?, calls: Int32) {
    faults_arm(Int32(calls.rawValue), first, count, error)
    do {
      try store.apply(changes)
      return (nil, faults_disarm())
    } catch {
      return (error, faults_disarm())
    }
  }

  /// If a process is killed before it flushed the folder, a power failure can remove the names that
  /// it created.
  @Test(arguments: stores)
  func `opening a store flushes the folder, and throws if the flush fails`(_ store: Store) throws {
    try withTemporaryDirectory { directory in
      try store.open(directory).apply([.set("loan", Data("Dune".utf8))])

      faults_arm(Int32(FAULTS_SYNC.rawValue), 1, 1, EIO)
      let error = #expect(throws: StorageError.self) { try store.open(directory) }
      #expect(faults_disarm() == 1)
      #expect(error?.code == .io)

      #expect(try Self.values(of: store.open(directory)) == ["loan": "Dune"])
    }
  }

  @Test(.heavy, arguments: stores.prefix(2))
  func `a batch whose flush fails before the commit is rolled back completely`(_ store: Store)
    throws
  {
    for first in Int32(1)...100 {
      let isOver = try withTemporaryDirectory { directory in
        let backend = try store.open(directory)
        try backend.apply(Self.old.map { .set($0.key, Data($0.value.utf8)) })
        let (failure, calls) = Self.apply(
          Self.batch, to: backend, failing: FAULTS_SYNC, first, 1, EIO)
        let wanted = failure == nil ? Self.new : Self.old
        #expect(try Self.values(of: backend) == wanted, "flush \(first)")
        try backend.apply([.set("next", Data("kept".utf8))])
        let after = wanted.merging(["next": "kept"]) { $1 }
        #expect(try Self.values(of: backend) == after, "flush \(first)")
        #expect(try Self.values(of: store.open(directory)) == after, "flush \(first)")
        return calls < first
      }
      if isOver { return }
    }
    Issue.record("a batch flushes more than a hundred times")
  }

  private static let faults: [(calls: faults_call, count: Int32, error: Int32)] = [
    (FAULTS_ALL, 1, EIO), (FAULTS_ALL, 1, ENOSPC), (FAULTS_ALL, 5, EIO),
    (FAULTS_ALL, 1_000, ENOSPC), (FAULTS_ALL, 1, EDQUOT), (FAULTS_WRITE, 1_000, -ENOSPC),
    (FAULTS_SYNC, 1_000, EIO), (FAULTS_UNLINK, 1_000, EIO),
    (FAULTS_ALL, 3, EINTR), (FAULTS_WRITE, 3, 0),
  ]

  @Test(.heavy, arguments: stores)
  func `a batch with a failed system call is applied completely or not at all`(
    _ store: Store
  ) throws {
    for (calls, count, error) in Self.faults {
      var first = Int32(0)
      while true {
        first += 1
        let isOver = try withTemporaryDirectory { directory in
          let location = "call \(first), \(count) times error \(error)"
          var backend = try store.open(directory)
          try backend.apply(Self.old.map { .set($0.key, Data($0.value.utf8)) })
          let (failure, seen) = Self.apply(
            Self.batch, to: backend, failing: calls, first, count, error)
          if error == EINTR || error == 0 { #expect(failure == nil, "\(location)") }
          if [ENOSPC, EDQUOT, -ENOSPC].contains(error), let failure {
            #expect(failure.code == .full, "\(location)")
            #expect(failure.message.contains("free disk space"), "\(location)")
          }
          let left = try Self.values(of: backend)
          #expect(left == Self.new || failure != nil && left == Self.old, "\(location)")
          try backend.apply([.set("next", Data("kept".utf8))])
          let after = left.merging(["next": "kept"]) { $1 }
          for _ in 0..<2 {
            #expect(try Self.values(of: backend) == after, "\(location)")
            backend = try store.open(directory)
          }
          return seen < first
        }
        if isOver { break }
      }
    }
  }

  @Test(arguments: stores, [1, 1_000])
  func `the error after a failed flush states whether the value was replaced`(
    _ store: Store, count: Int32
  ) throws {
    let changes: [[StorageChange]] = [
      [.set("loan", Data("Solaris".utf8))], [.remove("loan")],
      [.set("loan", Data("Solaris".utf8)), .set("reader", Data("Ada".utf8))],
    ]
    for batch in changes {
      for first in Int32(1)...50 {
        let isOver = try withTemporaryDirectory { directory in
          let backend = try store.open(directory)
          try backend.apply([.set("loan", Data("Dune".utf8))])

          let (failure, calls) = Self.apply(
            batch, to: backend, failing: FAULTS_SYNC, first, count, EIO)

          let isInPlace = try backend.read("loan") != Data("Dune".utf8)
          if let failure {
            let isReported = failure.message.contains("is in place")
            #expect(isReported == isInPlace, "flush \(first): \(failure)")
            #expect(failure.code == .io)
          } else {
            #expect(isInPlace)
          }
          return calls < first
        }
        if isOver { break }
      }
    }
  }

  @Test
  func `if the last flush of a stream fails, finish() throws although the value is stored`()
    throws
  {
    try withTemporaryDirectory { directory in
      let backend = try FileBackend(in: directory.appending(path: "store"))
      let writer = try backend.writer(for: "scan")
      try writer.write(Data("page".utf8))

      // The first flush is of the bytes, the second of the folder.
      faults_arm(Int32(FAULTS_SYNC.rawValue), 2, 1, EIO)
      let error = #expect(throws: StorageError.self) { try writer.finish() }
      _ = faults_disarm()

      #expect(error?.message.contains("is in place") == true)
      #expect(try backend.read("scan") == Data("page".utf8))
      let second = #expect(throws: StorageError.self) { try writer.finish() }
      #expect(second?.code == .misuse)
    }
  }

  @Test(arguments: stores)
  func `if a system call fails while a store opens, opening the store again loses no value`(
    _ store: Store
  ) throws {
    for error in [EIO, ENOSPC, EINTR] {
      try withTemporaryDirectory { directory in
        try store.open(directory).apply(Self.old.map { .set($0.key, Data($0.value.utf8)) })
        for first in Int32(1)...200 {
          faults_arm(Int32(FAULTS_ALL.rawValue), first, 1, error)
          let isOpened = (try? store.open(directory)) != nil
          let calls = faults_disarm()

          #expect(isOpened || error != EINTR, "call \(first)")
          #expect(try Self.values(of: store.open(directory)) == Self.old, "call \(first)")
          if calls < first { break }
          #expect(first < 200)
        }
      }
    }
  }

  @Test(.heavy, arguments: stores)
  func `a store whose creation failed can be created afterwards`(_ store: Store) throws {
    for first in Int32(1)...200 {
      let isOver = try withTemporaryDirectory { directory in
        let location = directory.appending(path: "a/b")
        faults_arm(Int32(FAULTS_ALL.rawValue), first, 1, EIO)
        _ = try? store.open(location).apply([.set("loan", Data("Dune".utf8))])
        let calls = faults_disarm()
        let backend = try store.open(location)
        try backend.apply([.set("reader", Data("Ada".utf8))])
        #expect(try store.open(location).read("reader") == Data("Ada".utf8))
        return calls < first
      }
      if isOver { return }
    }
    Issue.record("making a store takes more than two hundred calls")
  }

  @Test(arguments: stores.prefix(2))
  func `reads during a pending batch decode the commit record of the batch only once`(
    _ store: Store
  ) throws {
    try withTemporaryDirectory { directory in
      let backend = try store.open(directory)
      try backend.apply(Self.old.map { .set($0.key, Data($0.value.utf8)) })
      // The commit record is in place and flushed, and no step of the batch is carried out.
      let (failure, _) = Self.apply(
        Self.batch, to: backend, failing: FAULTS_UNLINK, 1, 1, EIO)
      #expect(failure == nil)

      var opens: [Int32] = []
      for _ in 0..<3 {
        faults_arm(Int32(FAULTS_OPEN.rawValue), .max, 0, 0)
        let absent = try backend.read("absent")
        opens.append(faults_disarm())
        #expect(absent == nil)
      }
      #expect(opens == [1, 0, 0])
      #expect(try Self.values(of: backend) == Self.new)
    }
  }
}
