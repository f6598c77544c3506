import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem

@Suite struct FolderListingsTests {
  @Test func `a folder is listed once, however many names are requested`() throws {
    let directory = try TemporaryDirectory()
    for number in 0..<50 { try directory.write("Emma", to: "loan-\(number)") }
    let listings = FolderListings()

    let counts = (0..<50).map { number in
      listings.names(in: directory.path, withPrefix: "loan-\(number)").count
    }

    // The names of "loan-1" to "loan-4" are also those of ten later loans.
    #expect(counts == (0..<50).map { (1...4).contains($0) ? 11 : 1 })
    #expect(listings.listedCount == 1)
  }

  @Test func `each folder has its own listing`() throws {
    let (shelves, members) = (try TemporaryDirectory(), try TemporaryDirectory())
    try shelves.write("Emma", to: "north")
    try members.write("Emma", to: "reader")
    let listings = FolderListings()

    let names = [shelves, members, shelves].map { listings.names(in: $0.path, withPrefix: "") }

    #expect(names == [["north"], ["reader"], ["north"]])
    #expect(listings.listedCount == 2)
  }

  @Test func `names are found by the bytes of their beginnings, in the order of their bytes`()
    throws
  {
    let directory = try TemporaryDirectory()
    // The first two names differ only in the encoding of an accent.
    let names = [
      "caf\u{e9}-wal", "cafe\u{301}-wal", "cafe-wal", "cafe.lock", "cafe", "cafe!", "caf",
    ]
    for name in names { try directory.write("Emma", to: name) }
    let listings = FolderListings()

    let found = ["caf\u{e9}", "cafe", "cafe-", "dune"].map { prefix in
      listings.names(in: directory.path, withPrefix: prefix).map { ExactString($0) }
    }

    let expected: [[ExactString]] = [
      ["caf\u{e9}-wal"], ["cafe", "cafe!", "cafe-wal", "cafe.lock", "cafe\u{301}-wal"],
      ["cafe-wal"], [],
    ]
    #expect(found == expected)
    #expect(listings.names(in: directory.path, withPrefix: "").count == names.count)
  }

  @Test func `a folder that cannot be listed has no names, and is not tried again`() throws {
    let directory = try TemporaryDirectory()
    let listings = FolderListings()

    let names = (0..<2).map { _ in
      listings.names(in: directory.file("absent"), withPrefix: "")
    }

    #expect(names == [[], []])
    #expect(listings.listedCount == 1)
  }

  @Test func `new listings contain the names that were created since`() throws {
    let directory = try TemporaryDirectory()
    let early = FolderListings()
    let before = early.names(in: directory.path, withPrefix: "")

    try directory.write("Emma", to: "loan")

    #expect(before == [])
    #expect(early.names(in: directory.path, withPrefix: "") == [])
    #expect(FolderListings().names(in: directory.path, withPrefix: "") == ["loan"])
  }
}
