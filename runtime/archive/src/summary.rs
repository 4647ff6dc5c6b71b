//! The summary of a recording whose writer died: what is in it and where, as readers that seek want it.
//! Made by `repair` from the records that are whole. It names only what can be read; records of the file are
//! copied into it, not made anew.

use std::collections::BTreeMap;
use std::io;

use binrw::BinWrite;
use mcap::records::{
    AttachmentHeader, AttachmentIndex, ChunkHeader, ChunkIndex, Footer, MessageHeader,
    MessageIndex, MessageIndexEntry, Metadata, MetadataIndex, Record, Statistics, SummaryOffset,
    op,
};
use mcap::sans_io::{LinearReadEvent, LinearReader, LinearReaderOptions};

/// The bytes before each record: its mark and its length.
const HEAD: u64 = 9;

/// What a file has, as far as it was read.
#[derive(Debug, Default)]
pub(super) struct McapSummary {
    schemas: BTreeMap<u16, Vec<u8>>,
    channels: BTreeMap<u16, Vec<u8>>,
    chunks: Vec<ChunkIndex>,
    last: Option<LastChunk>,
    attachments: Vec<AttachmentIndex>,
    metadata: Vec<MetadataIndex>,
    statistics: Statistics,
}

/// The chunk that was read last. It may be that not all indexes of its messages are behind it.
#[derive(Debug)]
struct LastChunk {
    index: ChunkIndex,
    /// The indexes of its messages, by channel, and those of them that are behind it.
    messages: BTreeMap<u16, MessageIndex>,
    behind: Vec<(u16, u64, u64)>,
}

impl McapSummary {
    /// Notes the record with this mark and content, which begins at this byte. Returns whether the file may end behind
    /// it: the indexes of messages behind the last chunk are written anew, for some may be missing.
    pub(super) fn note(&mut self, mark: u8, content: &[u8], at: u64) -> bool {
        let length = HEAD + content.len() as u64;
        let parsed = mcap::parse_record(mark, content);
        if let Ok(Record::MessageIndex(index)) = parsed {
            if let Some(last) = &mut self.last {
                last.behind.push((index.channel_id, at, length));
            }
            return false;
        }
        self.settle();
        match parsed {
            Ok(Record::Chunk { header, .. }) => self.chunk(header, content, at),
            Ok(Record::Attachment { header, data, .. }) => {
                self.attachment(header, data.len() as u64, at, length);
            }
            Ok(Record::Metadata(metadata)) => self.metadata(metadata, at, length),
            // Outside of chunks as well.
            Ok(Record::Schema { .. } | Record::Channel(_)) => self.define(mark, content),
            // What cannot be read stays in the file, and nothing points to it.
            _ => {}
        }
        true
    }

    /// The bytes that end the file at this byte: the indexes of the last chunk, the summary, the footer.
    ///
    /// # Errors
    /// Never: memory takes everything.
    pub(super) fn ending(mut self, mut at: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if let Some(last) = &mut self.last {
            last.behind.clear();
            for (channel, index) in &last.messages {
                let begun = bytes.len() as u64;
                record(&mut bytes, op::MESSAGE_INDEX, &content(index)?);
                let length = bytes.len() as u64 - begun;
                last.behind.push((*channel, at + begun, length));
            }
        }
        self.settle();
        record(&mut bytes, op::DATA_END, &[0; 4]);
        at += bytes.len() as u64;
        let mut summary = Vec::new();
        let mut offsets = Vec::new();
        for (mark, contents) in self.groups()? {
            let begun = summary.len() as u64;
            for content in &contents {
                record(&mut summary, mark, content);
            }
            offsets.extend((!contents.is_empty()).then(|| SummaryOffset {
                group_opcode: mark,
                group_start: at + begun,
                group_length: summary.len() as u64 - begun,
            }));
        }
        let footer = Footer {
            summary_start: at,
            summary_offset_start: at + summary.len() as u64,
            // Not told.
            summary_crc: 0,
        };
        for offset in &offsets {
            record(&mut summary, op::SUMMARY_OFFSET, &content(offset)?);
        }
        record(&mut summary, op::FOOTER, &content(&footer)?);
        bytes.append(&mut summary);
        bytes.extend(mcap::MAGIC);
        Ok(bytes)
    }

    /// The records of the summary, by their marks.
    fn groups(&mut self) -> io::Result<[(u8, Vec<Vec<u8>>); 6]> {
        self.statistics.schema_count = self.schemas.len() as u16;
        self.statistics.channel_count = self.channels.len() as u32;
        self.statistics.chunk_count = self.chunks.len() as u32;
        self.statistics.attachment_count = self.attachments.len() as u32;
        self.statistics.metadata_count = self.metadata.len() as u32;
        let counts = self.statistics.channel_message_counts.values();
        self.statistics.message_count = counts.sum();
        Ok([
            (op::SCHEMA, self.schemas.values().cloned().collect()),
            (op::CHANNEL, self.channels.values().cloned().collect()),
            (op::STATISTICS, vec![content(&self.statistics)?]),
            (op::CHUNK_INDEX, contents(&self.chunks)?),
            (op::ATTACHMENT_INDEX, contents(&self.attachments)?),
            (op::METADATA_INDEX, contents(&self.metadata)?),
        ])
    }

    /// All indexes of the last chunk's messages are behind it.
    fn settle(&mut self) {
        let Some(mut last) = self.last.take() else {
            return;
        };
        for (channel, at, length) in last.behind {
            last.index.message_index_offsets.insert(channel, at);
            last.index.message_index_length += length;
        }
        self.chunks.push(last.index);
    }

    /// A chunk, if its content is what it says.
    fn chunk(&mut self, header: ChunkHeader, content: &[u8], at: u64) {
        let Some(records) = unpacked(content) else {
            return;
        };
        let mut messages: BTreeMap<u16, MessageIndex> = BTreeMap::new();
        let mut offset = 0;
        for (mark, content) in records {
            if let Ok(Record::Message { header, .. }) = mcap::parse_record(mark, &content) {
                self.message(&header);
                let index = messages.entry(header.channel_id).or_insert(MessageIndex {
                    channel_id: header.channel_id,
                    records: Vec::new(),
                });
                let log_time = header.log_time;
                index.records.push(MessageIndexEntry { log_time, offset });
            } else {
                self.define(mark, &content);
            }
            offset += HEAD + content.len() as u64;
        }
        let index = ChunkIndex {
            message_start_time: header.message_start_time,
            message_end_time: header.message_end_time,
            chunk_start_offset: at,
            chunk_length: HEAD + content.len() as u64,
            message_index_offsets: BTreeMap::new(),
            message_index_length: 0,
            compression: header.compression,
            compressed_size: header.compressed_size,
            uncompressed_size: header.uncompressed_size,
        };
        self.last = Some(LastChunk {
            index,
            messages,
            behind: Vec::new(),
        });
    }

    fn message(&mut self, header: &MessageHeader) {
        let statistic = &mut self.statistics;
        let is_first = statistic.channel_message_counts.is_empty();
        let time = header.log_time;
        statistic.message_start_time = if is_first {
            time
        } else {
            statistic.message_start_time.min(time)
        };
        statistic.message_end_time = statistic.message_end_time.max(time);
        *statistic
            .channel_message_counts
            .entry(header.channel_id)
            .or_default() += 1;
    }

    fn attachment(&mut self, header: AttachmentHeader, data_size: u64, offset: u64, length: u64) {
        self.attachments.push(AttachmentIndex {
            offset,
            length,
            log_time: header.log_time,
            create_time: header.create_time,
            data_size,
            name: header.name,
            media_type: header.media_type,
        });
    }

    fn metadata(&mut self, metadata: Metadata, offset: u64, length: u64) {
        let name = metadata.name;
        self.metadata.push(MetadataIndex {
            offset,
            length,
            name,
        });
    }

    /// A schema or a channel: the first of its number counts.
    fn define(&mut self, mark: u8, content: &[u8]) {
        let Some(number) = content
            .first_chunk()
            .map(|first_chunk| u16::from_le_bytes(*first_chunk))
        else {
            return;
        };
        let all = match mark {
            op::SCHEMA => &mut self.schemas,
            op::CHANNEL => &mut self.channels,
            _ => return,
        };
        all.entry(number).or_insert_with(|| content.to_vec());
    }
}

/// The records in a chunk with this content, if it is whole.
fn unpacked(content: &[u8]) -> Option<Vec<(u8, Vec<u8>)>> {
    let mut bytes = Vec::with_capacity(content.len() + 9);
    record(&mut bytes, op::CHUNK, content);
    let options = LinearReaderOptions::default()
        .with_skip_start_magic(true)
        .with_skip_end_magic(true)
        .with_validate_chunk_crcs(true);
    let mut reader = LinearReader::new_with_options(options);
    let (mut data, mut records) = (bytes.as_slice(), Vec::new());
    while let Some(event) = reader.next_event() {
        match event.ok()? {
            LinearReadEvent::ReadRequest(wanted) => {
                let (piece, rest) = data.split_at(wanted.min(data.len()));
                reader.insert(piece.len()).copy_from_slice(piece);
                reader.notify_read(piece.len());
                data = rest;
            }
            LinearReadEvent::Record { data, opcode } => records.push((opcode, data.to_vec())),
        }
    }
    Some(records)
}

fn record(bytes: &mut Vec<u8>, mark: u8, content: &[u8]) {
    bytes.push(mark);
    bytes.extend((content.len() as u64).to_le_bytes());
    bytes.extend(content);
}

/// The content of a record.
fn content<T: for<'a> BinWrite<Args<'a> = ()>>(value: &T) -> io::Result<Vec<u8>> {
    let mut bytes = io::Cursor::new(Vec::new());
    value.write_le(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.into_inner())
}

fn contents<T: for<'a> BinWrite<Args<'a> = ()>>(all: &[T]) -> io::Result<Vec<Vec<u8>>> {
    all.iter().map(content).collect()
}
