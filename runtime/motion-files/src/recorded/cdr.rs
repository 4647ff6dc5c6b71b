//! The bytes of a message `JointTrajectory`, in CDR: each number at a multiple of its own size,
//! counted from behind the first four bytes, which say the order of bytes. Called by `recorded`.
//! A count is believed only as far as there are bytes for it.

use crate::fault::FileMistake;
use crate::text::number::shortest;
use crate::tree::TreeNode;

/// Takes numbers from a message.
struct CdrReader<'b> {
    bytes: &'b [u8],
    at: usize,
    is_little: bool,
}

impl<'b> CdrReader<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], String> {
        let part = self.bytes.get(self.at..self.at.saturating_add(count));
        self.at = self.at.saturating_add(count);
        part.ok_or_else(|| "a message that ends too early".to_owned())
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N], String> {
        self.at = self.at.next_multiple_of(N);
        let part = self.take(N)?.try_into();
        let mut bytes: [u8; N] = part.map_err(|_| "a message that ends too early".to_owned())?;
        if !self.is_little {
            bytes.reverse();
        }
        Ok(bytes)
    }

    fn whole(&mut self) -> Result<u32, String> {
        self.number().map(u32::from_le_bytes)
    }

    fn signed(&mut self) -> Result<i32, String> {
        self.number().map(i32::from_le_bytes)
    }

    fn text(&mut self) -> Result<String, String> {
        let length = self.whole()? as usize;
        let bytes = self.take(length)?;
        let text = bytes.strip_suffix(b"\0").unwrap_or(bytes);
        let text = std::str::from_utf8(text).map_err(|_| "a name that is not UTF-8".to_owned())?;
        Ok(text.to_owned())
    }

    fn list(&mut self) -> Result<TreeNode, String> {
        let count = self.whole()? as usize;
        if count > self.bytes.len() / 8 {
            return Err("a list longer than its message".to_owned());
        }
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            let value = f64::from_le_bytes(self.number()?);
            if !value.is_finite() {
                return Err("a number that is not finite".to_owned());
            }
            items.push(TreeNode::number(shortest(value)));
        }
        Ok(TreeNode::list(items))
    }

    fn time(&mut self) -> Result<TreeNode, String> {
        let (sec, nanosec) = (self.signed()?, self.whole()?);
        Ok(TreeNode::table([
            ("sec", TreeNode::number(sec.to_string())),
            ("nanosec", TreeNode::number(nanosec.to_string())),
        ]))
    }
}

/// A message as a tree.
pub(super) fn read(bytes: &[u8]) -> Result<TreeNode, String> {
    let is_little = match bytes {
        [0, 1, _, _, ..] => true,
        [0, 0, _, _, ..] => false,
        _ => return Err("a message that is not CDR".to_owned()),
    };
    let mut from = CdrReader {
        bytes: bytes.get(4..).unwrap_or_default(),
        at: 0,
        is_little,
    };
    let stamp = from.time()?;
    let frame = from.text()?;
    let count = from.whole()? as usize;
    if count > bytes.len() / 4 {
        return Err("a list longer than its message".to_owned());
    }
    let names = (0..count).map(|_| from.text().map(|text| TreeNode::text(&text)));
    let names = names.collect::<Result<Vec<_>, _>>()?;
    let count = from.whole()? as usize;
    if count > bytes.len() / 8 {
        return Err("a list longer than its message".to_owned());
    }
    let mut points = Vec::with_capacity(count);
    for _ in 0..count {
        let mut lists = Vec::with_capacity(5);
        for name in LISTS {
            lists.push((name, from.list()?));
        }
        lists.push(("time_from_start", from.time()?));
        points.push(TreeNode::table(lists));
    }
    Ok(TreeNode::table([
        (
            "header",
            TreeNode::table([("stamp", stamp), ("frame_id", TreeNode::text(&frame))]),
        ),
        ("joint_names", TreeNode::list(names)),
        ("points", TreeNode::list(points)),
    ]))
}

const LISTS: [&str; 4] = ["positions", "velocities", "accelerations", "effort"];

/// Puts numbers into a message.
struct CdrWriter {
    out: Vec<u8>,
}

impl CdrWriter {
    fn put(&mut self, bytes: &[u8]) {
        // The first four bytes do not count.
        let inside = (self.out.len() - 4).next_multiple_of(bytes.len().max(1));
        self.out.resize(inside + 4, 0);
        self.out.extend(bytes);
    }

    fn count(&mut self, count: usize) {
        self.put(&u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.count(text.len() + 1);
        self.out.extend(text.as_bytes());
        self.out.push(0);
    }

    fn time(&mut self, node: Option<&TreeNode>) -> Result<(), FileMistake> {
        let part = |name: &str| {
            let part = node.and_then(|node| node.get(name));
            part.map_or(Ok(0), |part| part.as_scaled(name, 0))
        };
        let (sec, nanosec) = (part("sec")?, part("nanosec")?);
        self.put(&i32::try_from(sec).unwrap_or(i32::MAX).to_le_bytes());
        self.put(&u32::try_from(nanosec).unwrap_or(u32::MAX).to_le_bytes());
        Ok(())
    }
}

/// The bytes of a message.
pub(super) fn write(root: &TreeNode) -> Result<Vec<u8>, FileMistake> {
    let mut to = CdrWriter {
        out: vec![0, 1, 0, 0],
    };
    let header = root.get("header");
    to.time(header.and_then(|header| header.get("stamp")))?;
    let frame = header.and_then(|header| header.get("frame_id"));
    to.text(frame.map_or(Ok(""), |frame| frame.as_text("frame_id"))?);
    let names = root.needed("joint_names", "the trajectory")?;
    let names = names.items("joint_names")?;
    to.count(names.len());
    for name in names {
        to.text(name.as_text("the name of a joint")?);
    }
    let points = root.needed("points", "the trajectory")?.items("points")?;
    to.count(points.len());
    for point in points {
        for name in LISTS {
            let list = point
                .get(name)
                .map_or(Ok(&[][..]), |point| point.items(name))?;
            to.count(list.len());
            for number in list {
                to.put(&number.as_number(name)?.to_le_bytes());
            }
        }
        to.time(point.get("time_from_start"))?;
    }
    Ok(to.out)
}
