import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftFileSystem

@Suite(.enabled(if: faults_are_available() != 0)) struct DamagedFileTests {
  @Test
  func
    `preserving the same damaged content several times creates one copy, even without hard links`()
    throws
  {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/settings.journal"
    let (seven, eight) = (Data(repeating: 7, count: 3 << 20), Data(repeating: 8, count: 3 << 20))
    faults_arm(Int32(FAULTS_LINK.rawValue), 1, 1_000, EPERM)
    defer { _ = faults_disarm() }
    try seven.write(to: URL(filePath: path))

    let first = try (0..<12).map { _ in try DamagedFile.preserve(path) }
    try eight.write(to: URL(filePath: path))
    let second = try (0..<12).map { _ in try DamagedFile.preserve(path) }

    #expect(Set(first) == [path + ".damaged-1"])
    #expect(Set(second) == [path + ".damaged-2"])
    #expect(try Data(contentsOf: URL(filePath: path + ".damaged-1")) == seven)
    #expect(try Data(contentsOf: URL(filePath: path + ".damaged-2")) == eight)
  }

  @Test func `the copy of a damaged sparse file is sparse`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/settings.journal"
    try Data("UNDJRNL1".utf8).write(to: URL(filePath: path))
    let size = 64 << 20
    try #require(truncate(path, off_t(size)) == 0)
    faults_arm(Int32(FAULTS_LINK.rawValue), 1, 1_000, EPERM)
    defer { _ = faults_disarm() }

    let copy = try DamagedFile.preserve(path)

    var status = stat()
    #expect(stat(copy, &status) == 0)
    #expect(Int(status.st_size) == size)
    #expect(Int(status.st_blocks) * 512 < size / 2)
    #expect(try Data(contentsOf: URL(filePath: copy)) == Data(contentsOf: URL(filePath: path)))
  }
}
